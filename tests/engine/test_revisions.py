"""In a run's transcript an agent's better answer says what is different about it."""

from teamwright.engine.transcript.run import RunTranscript
from teamwright.protocol.transcript import CodePart, Entry
from tests.engine.story import RUN, Story


def answers(story: Story) -> list[Entry]:
    transcript = RunTranscript(RUN, str)
    for record in story.records:
        transcript.fold(record)
    entries, _ = transcript.entries.before(None, 100)
    return [entry for entry in entries if entry.kind == "answer" and entry.agent_id == "a"]


def test_a_second_answer_shows_what_changed_since_the_first() -> None:
    story = Story("a b").starts("a", "b").answers("a", "Sort it.\nBy name.").answers("b", "Sort it by date.")
    story.starts("a").answers("a", "Sort it.\nBy date, then by name.")
    first, second = answers(story)
    assert [part.part for part in first.parts] == ["text"]
    revision = second.parts[-1]
    assert isinstance(revision, CodePart)
    assert (revision.title, revision.folded, revision.data.language) == ("What changed", True, "diff")
    assert revision.text.splitlines() == ["@@ -1,2 +1,2 @@", " Sort it.", "-By name.", "+By date, then by name."]
