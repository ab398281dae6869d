#!/usr/bin/env bash
# screenshots.sh: makes the pictures of the README anew. The tests of the real workbench draw them on their way.
set -euo pipefail
cd "$(dirname "$0")/../../.."
scripts/setup.sh dev
tests=tests/vscode
.venv/bin/python -m pytest -q \
  "$tests/test_runs.py::test_three_agents_answer_and_vote_and_a_person_overrides_by_key" \
  "$tests/test_review.py::test_a_selection_is_reviewed_and_a_finding_fixed" \
  "$tests/test_changes.py::test_one_hunk_is_applied_and_one_undo_takes_it_back"
drawn=.cache/vscode-pictures
pictures=editors/vscode/media/screenshots
cp "$drawn/run-voted.png" "$pictures/run.png"
cp "$drawn/review.png" "$pictures/review.png"
cp "$drawn/changes-diff.png" "$pictures/changes.png"
