"""What the team stands behind: the remarks of several agents on the same thing, as one finding."""

from collections.abc import Collection, Mapping
from typing import Final

from teamwright.engine.clusters import SEVEREST_FIRST, Cluster, by_weight, clusters
from teamwright.engine.run.state import RunState
from teamwright.protocol.findings import AgreedFinding, Reproduced, Reproduction
from teamwright.protocol.ids import AgentId, FindingId

_PROOFS: Final[Mapping[Reproduced | None, int]] = {"yes": 0, "no": 1, "not_run": 2, None: 3}


def agreed_findings(state: RunState, dismissed: Collection[FindingId] = ()) -> tuple[AgreedFinding, ...]:
    """Most agreed first. A finding is called by the same id whoever asks, and answers to those of all its remarks."""
    disputes = {agent.agent_id: agent.ballot.disputed for agent in state.agents.values() if agent.ballot is not None}
    agreed = (_agreed(cluster, state, disputes, dismissed) for cluster in clusters(state.findings))
    return tuple(sorted((finding for finding in agreed if finding.agents), key=_standing))


def ids_of(state: RunState, finding_id: FindingId) -> frozenset[FindingId]:
    """The ids of all remarks that stand together with this one; none where it is not of this run."""
    together = (cluster for cluster in clusters(state.findings) if finding_id in _ids(cluster))
    return next((_ids(cluster) for cluster in together), frozenset[FindingId]())


def reproductions(state: RunState, finding_ids: Collection[FindingId]) -> tuple[tuple[str, Reproduction], ...]:
    """What was seen to fail because of these findings, each once, with the title of its finding."""
    proofs: dict[Reproduction, str] = {}
    for cluster in clusters(state.findings):
        if not _ids(cluster).isdisjoint(finding_ids):
            title = min(cluster, key=by_weight).finding.title
            for remark in sorted(cluster, key=by_weight):
                if remark.reproduction is not None and remark.finding.reproduced == "yes":
                    proofs.setdefault(remark.reproduction, title)
    return tuple((title, proof) for proof, title in proofs.items())


def _ids(cluster: Cluster) -> frozenset[FindingId]:
    return frozenset(remark.finding.finding_id for remark in cluster)


def _agreed(
    cluster: Cluster,
    state: RunState,
    disputes: Mapping[AgentId, frozenset[FindingId]],
    dismissed: Collection[FindingId],
) -> AgreedFinding:
    """In the words of its severest remark."""
    ids = _ids(cluster)
    spokesman = min(cluster, key=by_weight).finding
    disputing = tuple(agent for agent in state.spec.agents if ids & disputes.get(agent, frozenset()))
    reporting = {remark.agent_id for remark in cluster}
    # One that fails is enough, whoever else has tried.
    tried = min(cluster, key=lambda remark: (_PROOFS[remark.finding.reproduced], *by_weight(remark))).finding
    proven = spokesman.model_copy(update={"reproduced": tried.reproduced, "not_run_because": tried.not_run_because})
    return AgreedFinding(
        **dict(proven),
        agents=tuple(agent for agent in state.spec.agents if agent in reporting and agent not in disputing),
        of=len(state.spec.agents),
        disputed_by=disputing or None,
        dismissed=not ids.isdisjoint(dismissed),
    )


def _standing(finding: AgreedFinding) -> tuple[int, int, str, int, str]:
    severity = SEVEREST_FIRST[finding.severity]
    return -finding.agreement, severity, finding.uri, finding.range.start.line, finding.finding_id
