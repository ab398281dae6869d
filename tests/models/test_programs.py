"""Claude Code, Gemini CLI and Codex CLI as models, played by fake programs that speak their real formats."""

import asyncio
import os
import sys
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from teamwright.models.errors import ErrorKind, ModelError
from teamwright.models.factory import Models
from teamwright.models.model import RetryPolicy
from teamwright.models.port import (
    Image,
    ModelReply,
    ModelRequest,
    ModelUsage,
    Notice,
    Restarted,
    StreamFinished,
    TextDelta,
    ToolSpec,
    UserPrompt,
)
from teamwright.protocol.usage import Usage
from tests.models.asking import (
    VOTE,
    answer_of,
    asking,
    hasty,
    reasoning_of,
    text_of,
)
from tests.models.programs import LABELS, every_program, program
from tests.support.marks import unmarked
from tests.support.model_server import ModelServer
from tests.support.patience import PATIENCE_SECONDS
from tests.support.programs import (
    crashes,
    hangs,
    play,
    prints,
    prints_partly,
    reports,
    says,
    thinks,
    waits_at,
    warns,
)
from tests.support.programs.installation import Call, Programs
from tests.support.programs.kinds import ProgramName
from tests.support.programs.play import Ending
from tests.support.usage import Usage as Used


@pytest.fixture
def providers(program_house: Models) -> Models:
    return program_house


@every_program
@pytest.mark.asyncio
async def test_a_program_answers_as_a_model(name: ProgramName, providers: Models, programs: Programs) -> None:
    used = Used(input=100, output=20, cached=60)
    programs.install(name).replies(play(thinks("Hm."), says("Hello ", "there"), usage=used))

    parts = await answer_of(providers.open(program(name)), asking("Hi", system="Be brief."))

    assert text_of(parts) == "Hello there"
    assert reasoning_of(parts).strip() == ("" if name == "gemini" else "Hm.")
    assert parts[-2:] == [
        ModelUsage(
            Usage(input_tokens=100, output_tokens=20, cached_tokens=60, calls=1),
            cost_usd=0.0123 if name == "claude" else None,
        ),
        StreamFinished("stop"),
    ]


@every_program
@pytest.mark.asyncio
async def test_a_program_streams_what_it_has_while_it_works(
    name: ProgramName, providers: Models, programs: Programs, models: ModelServer
) -> None:
    gate = models.gate("between")
    programs.install(name).replies(play(says("One"), waits_at(gate), says("two")))

    async with aclosing(providers.open(program(name)).stream(asking())) as parts:
        assert await anext(parts) == TextDelta("One")
        await gate.reached()
        gate.release()
        assert text_of([part async for part in parts]).strip() == "two"


async def called(
    providers: Models, programs: Programs, name: ProgramName, request: ModelRequest, **settings: Any
) -> Call:
    installed = programs.install(name).replies(play(says("Fine.")))
    await answer_of(providers.open(program(name, "some-model", **settings)), request)
    return installed.calls[-1]


@every_program
@pytest.mark.parametrize("tools", [(), (VOTE,)], ids=["no tools", "tools of ours"])
@pytest.mark.asyncio
async def test_a_program_is_called_with_its_tools_off_and_no_permission_given(
    name: ProgramName, tools: tuple[ToolSpec, ...], providers: Models, programs: Programs
) -> None:
    call = await called(providers, programs, name, asking("Hi", *tools, system="Be brief."))

    off: dict[ProgramName, set[str]] = {
        "claude": {"--tools", "--strict-mcp-config", "--setting-sources", "--no-session-persistence"},
        "gemini": {"--policy", "--extensions", "--allowed-mcp-server-names"},
        "codex": {"read-only", "--ephemeral", "--ignore-user-config", "features.shell_tool=false"},
    }
    assert off[name] <= set(call.argv)
    assert "some-model" in call.argv
    assert not [
        argument for argument in call.argv if "yolo" in argument or "bypass" in argument or "danger" in argument
    ]
    assert not any("Be brief." in argument or "Hi" in argument for argument in call.argv)
    assert (call.system, call.stdin) == ("Be brief.", "Hi")


@every_program
@pytest.mark.asyncio
async def test_a_program_works_in_an_empty_directory_that_is_gone_afterwards(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    call = await called(providers, programs, name, asking())

    assert Path(call.cwd) != Path.cwd()
    assert _is_gone(call.cwd)


@every_program
@pytest.mark.asyncio
async def test_a_program_sees_the_keys_of_its_own_maker_alone(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    call = await called(providers, programs, name, asking())

    own: dict[ProgramName, set[str]] = {"claude": {"ANTHROPIC_API_KEY"}, "gemini": set(), "codex": {"OPENAI_API_KEY"}}
    assert {"ANTHROPIC_API_KEY", "OPENAI_API_KEY"} & set(call.env) == own[name]
    assert "CLAUDECODE" not in call.env


@every_program
@pytest.mark.asyncio
async def test_a_conversation_is_told_as_one_prompt(name: ProgramName, providers: Models, programs: Programs) -> None:
    conversation = (UserPrompt("Hi"), ModelReply("Hello."), UserPrompt("Go on."))
    call = await called(providers, programs, name, ModelRequest(conversation))

    assert call.stdin is not None
    said = unmarked(call.stdin)
    assert said.endswith("<user>\nHi\n</user>\n\n<assistant>\nHello.\n</assistant>\n\n<user>\nGo on.\n</user>")


@every_program
@pytest.mark.parametrize(
    ("ending", "kind", "words"),
    [
        (crashes(3, "TypeError: undefined is not a function"), "program_crashed", "exit code 3 (TypeError: undefined"),
        (crashes(1, ""), "program_crashed", "exit code 1 (it said nothing)"),
        (prints_partly('{"type": "resu'), "program_garbage", "something else than its streaming JSON"),
        (reports(401, "Invalid API key · Please run /login"), "bad_key", "in a terminal and sign in"),
        (reports(529, "Overloaded"), "overloaded", "overloaded"),
        (reports(429, "Rate limit reached"), "rate_limited", "limits the rate"),
    ],
    ids=["crash", "silent crash", "torn line", "signed out", "overloaded", "limited"],
)
@pytest.mark.asyncio
async def test_every_way_to_fail_has_its_kind_and_a_remedy(
    *, name: ProgramName, ending: Ending, kind: ErrorKind, words: str, providers: Models, programs: Programs
) -> None:
    programs.install(name).replies(play(says("One "), then=ending))

    with pytest.raises(ModelError) as caught:
        await answer_of(providers.open(program(name)), asking())

    assert caught.value.kind == kind
    assert words in caught.value.message


@every_program
@pytest.mark.asyncio
async def test_a_program_that_only_talks_to_people_is_garbage(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).replies(play(prints("Welcome! Please update."), then=prints_partly("Bye")))

    with pytest.raises(
        ModelError, match=r"something else than its streaming JSON \(Welcome! Please update\.\)"
    ) as caught:
        await answer_of(providers.open(program(name)), asking())

    assert caught.value.kind == "program_garbage"


@every_program
@pytest.mark.asyncio
async def test_lines_that_are_no_events_do_not_harm_an_answer(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    noisy = play(prints("Loaded cached credentials."), warns("(node:1) Warning"), prints("[]"), says("Hello"))
    programs.install(name).replies(noisy)

    assert text_of(await answer_of(providers.open(program(name)), asking())) == "Hello"


@every_program
@pytest.mark.asyncio
async def test_a_program_that_hangs_is_ended(name: ProgramName, providers: Models, programs: Programs) -> None:
    installed = programs.install(name).replies(play(says("One "), then=hangs()))

    with pytest.raises(ModelError) as caught:
        await answer_of(providers.open(program(name)), asking(deadlines=hasty(idle=0.2)))

    assert caught.value.kind == "stalled"
    assert not _alive(installed.calls[0].pid)


@every_program
@pytest.mark.parametrize("stubborn", [False, True], ids=["obedient", "stubborn"])
@pytest.mark.asyncio
async def test_cancelling_the_reader_ends_the_program_even_if_it_ignores_the_request(
    *, name: ProgramName, stubborn: bool, providers: Models, programs: Programs
) -> None:
    installed = programs.install(name).replies(play(says("One "), then=hangs(ignoring_termination=stubborn)))
    begun = asyncio.Event()

    async def read() -> None:
        async with aclosing(providers.open(program(name)).stream(asking())) as parts:
            async for _ in parts:
                begun.set()

    reader = asyncio.create_task(read())
    await asyncio.wait_for(begun.wait(), PATIENCE_SECONDS)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader

    assert not _alive(installed.calls[0].pid)
    assert _is_gone(installed.calls[0].cwd)


def _is_gone(workplace: str) -> bool:
    return not Path(workplace).parent.exists()


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@every_program
@pytest.mark.asyncio
async def test_a_program_that_is_not_installed_is_named(name: ProgramName, providers: Models) -> None:
    with pytest.raises(ModelError) as caught:
        await answer_of(providers.open(program(name)), asking())

    assert caught.value.kind == "program_missing"
    remedy = f"install {LABELS[name]}, or set `program`"
    assert caught.value.message == f"The program {name} is not on the PATH: {remedy}."


@every_program
@pytest.mark.asyncio
async def test_a_program_that_is_too_old_says_how_to_update_it(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).version("0.9.1")

    with pytest.raises(ModelError) as caught:
        await answer_of(providers.open(program(name)), asking())

    assert caught.value.kind == "program_version"
    assert f"{LABELS[name]} 0.9.1 is too old" in caught.value.message
    assert "run `" in caught.value.message


@every_program
@pytest.mark.asyncio
async def test_a_program_that_does_not_know_its_version_is_refused(
    name: ProgramName, providers: Models, programs: Programs
) -> None:
    programs.install(name).version("unknown")

    with pytest.raises(ModelError, match="did not say its version") as caught:
        await answer_of(providers.open(program(name)), asking())

    assert caught.value.kind == "program_version"


@pytest.mark.asyncio
async def test_a_file_that_cannot_be_run_is_no_program(providers: Models, programs: Programs) -> None:
    programs.install("claude").path.write_text("#!/nowhere/at/all\n", encoding="utf-8")

    with pytest.raises(ModelError, match="cannot be started") as caught:
        await answer_of(providers.open(program("claude")), asking())

    assert caught.value.kind == "program_missing"


@pytest.mark.asyncio
async def test_of_a_programs_complaints_the_end_is_kept_and_nothing_on_the_disk(
    providers: Models, programs: Programs, tmp_path: Path
) -> None:
    """The program looks itself whether its stderr is a file, which would grow without a bound."""
    told = tmp_path / "told"
    program_file = programs.install("claude").path
    script = f"test -f /dev/stderr && touch '{told}'; yes complaint | head -c 9000000 >&2; echo the end >&2; exit 3"
    version = 'case "$1" in --version) echo 9.9.9; exit;; esac'
    program_file.write_text(f"#!/bin/sh\n{version}\n{script}\n", encoding="utf-8")

    with pytest.raises(ModelError, match=r"exit code 3 \(.*complaint") as caught:
        await answer_of(providers.open(program("claude")), asking())

    assert caught.value.kind == "program_crashed"
    assert not told.exists()


@pytest.mark.asyncio
async def test_a_program_that_goes_away_between_two_answers_is_reported(providers: Models, programs: Programs) -> None:
    installed = programs.install("claude").replies(play(says("Hello")))
    model = providers.open(program("claude"))
    await answer_of(model, asking())
    installed.path.unlink()

    with pytest.raises(ModelError, match=r"cannot be started \(No such file or directory\)") as caught:
        await answer_of(model, asking())

    assert caught.value.kind == "program_crashed"


@pytest.mark.asyncio
async def test_programs_take_no_images(providers: Models, programs: Programs) -> None:
    programs.install("claude")
    with pytest.raises(ModelError, match="takes no images") as caught:
        await answer_of(
            providers.open(program("claude")), ModelRequest((UserPrompt("Look", (Image(b"", "image/png"),)),))
        )

    assert caught.value.kind == "unsupported_image"


@pytest.mark.asyncio
async def test_a_model_name_that_a_shell_might_misread_is_refused(providers: Models, programs: Programs) -> None:
    programs.install("claude")
    with pytest.raises(ModelError, match="cannot have such a model") as caught:
        await answer_of(providers.open(program("claude", "opus & calc.exe")), asking())

    assert caught.value.kind == "unknown_model"


@pytest.mark.asyncio
async def test_two_programs_run_side_by_side(providers: Models, programs: Programs, models: ModelServer) -> None:
    gate = models.gate("both are under way")
    programs.install("claude").replies(play(says("One "), waits_at(gate), says("two")))
    programs.install("codex").replies(play(says("One "), waits_at(gate), says("two")))

    reading = [asyncio.create_task(answer_of(providers.open(program(name)), asking())) for name in ("claude", "codex")]
    await gate.reached(times=2)
    gate.release()

    assert ["".join(text_of(parts).split()) for parts in await asyncio.gather(*reading)] == ["Onetwo", "Onetwo"]


@pytest.mark.asyncio
async def test_a_crash_is_tried_again_and_nothing_is_shown_twice(programs: Programs) -> None:
    programs.install("claude").replies(play(says("Hello "), then=crashes()), play(says("Hello there")))
    async with Models(os.environ, retry=RetryPolicy(first=0.0)) as providers:
        parts = await answer_of(providers.open(program("claude")), asking())

    restart = next(place for place, part in enumerate(parts) if isinstance(part, Restarted))
    assert isinstance(parts[restart + 1], Notice)
    assert text_of(parts[restart:]) == "Hello there"


# Its child holds a connection to the test for as long as it lives.
GRANDPARENT = """\
#!{python}
import subprocess, sys, threading
if sys.argv[1:] == ["--version"]:
    sys.exit(print("2.1.232 (Claude Code)"))
child = "import socket; socket.create_connection(('127.0.0.1', {port})).recv(1)"
subprocess.Popen([sys.executable, "-c", child])
threading.Event().wait()
"""


@pytest.mark.asyncio
async def test_what_a_program_has_started_ends_with_it(providers: Models, programs: Programs) -> None:
    came, went = asyncio.Event(), asyncio.Event()

    async def child(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.set()
        await reader.read()
        writer.close()
        went.set()

    async with asyncio.timeout(20), await asyncio.start_server(child, "127.0.0.1") as server:
        script = GRANDPARENT.format(python=sys.executable, port=server.sockets[0].getsockname()[1])
        programs.install("claude").path.write_text(script, encoding="utf-8")
        reading = asyncio.create_task(answer_of(providers.open(program("claude")), asking()))
        await came.wait()
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        await went.wait()
