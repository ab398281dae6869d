"""A run that is over, analysed."""

from teamwright.engine.analysis.deliberation import deliberation_findings
from teamwright.engine.analysis.history import PastRun
from teamwright.engine.analysis.recommending import advice
from teamwright.engine.analysis.stages import stage_uses
from teamwright.engine.analysis.timeline import timeline
from teamwright.engine.analysis.trouble import trouble_findings
from teamwright.protocol.views import RunAnalysis


def analyse(past: PastRun) -> RunAnalysis:
    given = advice(past)
    return RunAnalysis(
        findings=(*deliberation_findings(past), *trouble_findings(past)),
        stages=tuple(stage_uses(past)),
        timeline=timeline(past),
        recommendations=tuple(given.recommendations),
        settings=given.settings,
    )
