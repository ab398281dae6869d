"""The types of LSP, loaded so that they take no more memory than they need.

attrs gives the methods that it writes for a class a copy of all names in the class's module, if it finds that module
among the loaded ones. There are hundreds of types, so theirs is made known only when they all are made: 5 MB less.
"""

import linecache
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING

__all__ = ["types"]


def _loaded(package: str, name: str) -> ModuleType:
    whole_name = f"{package}.{name}"
    spec = find_spec(whole_name)
    if whole_name in sys.modules or spec is None or spec.loader is None:
        return import_module(whole_name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.modules[whole_name] = module
    setattr(sys.modules[package], name, module)
    # attrs keeps the source of each method that it has written, for debuggers.
    linecache.clearcache()
    return module


if TYPE_CHECKING:
    from lsprotocol import types
else:
    types = _loaded("lsprotocol", "types")
