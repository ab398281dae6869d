"""Fresh ids and the time: the two things the pure rooms are always given."""

import random
import time
from datetime import UTC, datetime

from teamwright.protocol.ids import IdPrefix


def now() -> datetime:
    return datetime.now(UTC)


def fresh_id(prefix: IdPrefix) -> str:
    """Sorts by age within its kind, so that a folder of runs or a dump of ids reads in order.

    Ids are no secrets: they need to be unique, and a trip to the kernel for each would be felt in a run's time.
    """
    return f"{prefix}_{time.time_ns() // 1_000_000:011x}{random.getrandbits(40):010x}"
