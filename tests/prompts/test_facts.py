"""What is said last in each request."""

from datetime import date

from teamwright.prompts.assistant.facts import Facts, PendingChanges, RunAtWork, Spent, facts_message
from teamwright.protocol.ids import AgentId, RunId
from teamwright.protocol.modes import Modes
from teamwright.protocol.usage import Budget, Usage

TODAY = date(2026, 11, 16)
USED = Usage(input_tokens=900, output_tokens=100, calls=3)


def test_a_new_session_has_little_to_say() -> None:
    assert facts_message(Facts(TODAY)) == (
        "[As of now, said by Teamwright.\n- Today is 2026-11-16.\n- Spent in this session: $0.00, 0 tokens in 0 calls.]"
    )


def test_costs_modes_and_what_is_pending_are_told() -> None:
    facts = Facts(
        TODAY,
        spent=Spent(USED, 0.25),
        budget=Budget(usd=1.0, tokens=800),
        modes=Modes(
            plan=True,
            agent_mode="single",
            agent_id=AgentId("sage"),
            refinement=False,
            autonomy="autonomous",
            team="never",
        ),
        runs_at_work=(RunAtWork(RunId("run_2"), "Review\nthe diff"),),
        pending_changes=(PendingChanges(RunId("run_1"), tuple(f"f{n}.py" for n in range(12))),),
    )
    assert facts_message(facts) == (
        "[As of now, said by Teamwright.\n"
        "- Today is 2026-11-16.\n"
        "- Spent in this session: $0.25, 1000 tokens in 3 calls. Left of the budget: $0.75 and 0 tokens.\n"
        "- The user wants no runs now: answer by yourself.\n"
        "- Autonomous mode: nobody can be asked. Decide by yourself and say what you assumed.\n"
        "- The user has set for every run: planning_mode = true, agent_mode = single, agents = sage, "
        "refinement = false.\n"
        "- Run run_2 is under way: Review the diff\n"
        "- Changes of run run_1 wait for the user's decision: f0.py, f1.py, f2.py, f3.py, f4.py, f5.py, f6.py, f7.py, "
        "f8.py, f9.py and 2 more.]"
    )


def test_a_cost_that_is_not_known_is_not_called_zero() -> None:
    told = facts_message(Facts(TODAY, spent=Spent(USED, None), budget=Budget(usd=1.0), modes=Modes(team="always")))
    assert "Spent in this session: a cost that is not known, 1000 tokens in 3 calls.\n" in told
    assert "The user wants the team on everything" in told
