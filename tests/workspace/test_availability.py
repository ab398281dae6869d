"""By what means commands are shut in, and when that is asked again."""

from pathlib import Path

import pytest

from teamwright.workspace.copies import availability


def test_without_overlays_files_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = {
        "overlay": availability.ProbeFault("namespace: operation not permitted"),
        "overlay on disk": availability.ProbeFault("overlay: no such device"),
    }
    monkeypatch.setattr(availability, "_fault_of", faults.get)
    monkeypatch.setattr(availability, "program", lambda: "another bwrap")
    assert availability.availability() == availability.Available("copy")
    faults.clear()
    assert availability.availability() == availability.Available("copy"), "a kernel does not change its mind"


def test_what_failed_in_a_busy_moment_is_tried_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    known = availability.availability()
    monkeypatch.setattr(availability, "program", lambda: "a bwrap that nobody has tried")
    monkeypatch.setattr(availability, "starting_words", lambda: [str(tmp_path / "cannot be started now")])
    refused = availability.availability()
    assert isinstance(refused, availability.Unavailable)
    assert "no such file or directory" in refused.sentence
    monkeypatch.undo()
    monkeypatch.setattr(availability, "program", lambda: "a bwrap that nobody has tried")
    assert availability.availability() == known
