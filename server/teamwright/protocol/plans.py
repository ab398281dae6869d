"""A plan: what a planning run proposes and an executing run carries out."""

from pydantic import Field

from teamwright.protocol.base import Maybe, Wire


class PlanTask(Wire):
    id: str
    title: str = Field(min_length=1)
    detail: str = ""
    phase: Maybe[str] = None
    files: Maybe[tuple[str, ...]] = None


class Plan(Wire):
    title: str = Field(min_length=1)
    tasks: tuple[PlanTask, ...] = Field(min_length=1)
