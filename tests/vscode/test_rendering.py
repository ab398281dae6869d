"""The chat's page by itself in a real browser: long transcripts, streaming, and what must not move."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright

from tests.vscode.installation import EXTENSION, install
from tests.vscode.window import PATIENCE_MS
from tests.vscode.workbench import CHROMIUM, CHROMIUM_ARGUMENTS

pytestmark = pytest.mark.asyncio(loop_scope="package")

Json = dict[str, Any]
_MODES: Json = {
    "plan": None,
    "agentMode": None,
    "agentId": None,
    "refinement": None,
    "autonomy": "hitl",
    "team": "auto",
}
# The page as VS Code shows it, with the editor's side of the line replaced by a list of what was said to it.
_PAGE = """<!DOCTYPE html><html><head><style>html, body, #app {{ height: 600px; }}</style><style>{style}</style></head>
<body class="chat"><div id="app"></div><script>
  window.sent = [];
  window.acquireVsCodeApi = () => ({{ postMessage: (m) => sent.push(m), getState: () => undefined, setState() {{}} }});
</script><script>{script}</script></body></html>"""


@pytest_asyncio.fixture(scope="module", loop_scope="package")
async def browser() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        yield browser
        await browser.close()


@pytest.fixture(scope="module")
def content() -> str:
    install()
    built = EXTENSION / "dist/webview"
    script, style = (built / "chat.js").read_text(encoding="utf-8"), (built / "style.css").read_text(encoding="utf-8")
    return _PAGE.format(style=style, script=script.replace("</script", "<\\/script"))


@pytest_asyncio.fixture(loop_scope="package")
async def page(browser: Browser, content: str) -> AsyncGenerator[Page]:
    page = await browser.new_page(viewport={"width": 320, "height": 600})
    page.set_default_timeout(PATIENCE_MS)
    await page.set_content(content)
    yield page
    await page.close()


def entry(name: str | int, *parts: Json, kind: str = "answer", **fields: object) -> Json:
    return {"entryId": f"ent_{name}", "kind": kind, "parts": list(parts), "actions": [], **fields}


def markdown(text: str, part: str = "text", **fields: object) -> Json:
    return {"part": part, "kind": "markdown", "text": text, **fields}


def action(label: str, command: str, arguments: Json, **fields: object) -> Json:
    return {"label": label, "command": command, "arguments": arguments, **fields}


async def show(page: Page, *entries: Json) -> None:
    """A session of these entries, at work."""
    summary: Json = {"sessionId": "ses_1", "title": "Long", "createdAt": "", "updatedAt": "", "lastMessage": ""}
    summary |= {"turns": 1, "runs": 0, "pendingDecisions": 0, "modes": _MODES, "busy": True}
    state = {"server": {"state": "ready"}, "status": None, "sessions": {"ses_1": summary}, "sessionId": "ses_1"}
    transcript = {"rev": 0, "entries": entries, "more": False}
    message = {"type": "page", "state": {**state, "refused": {}}, "transcript": transcript, "drafts": {}}
    await page.evaluate("(message) => window.postMessage(message)", message)
    await page.wait_for_function("(n) => document.querySelectorAll('q-entry').length === n", arg=len(entries))


async def show_messages(page: Page, count: int) -> None:
    """So many, the last of which is still being written."""
    said = [entry(n, markdown(f"Message **{n}** with `code`.\n\n```python\nx = {n}\n```\n")) for n in range(count - 1)]
    await show(page, *said, entry(count - 1, markdown(""), state="streaming"))


async def request(page: Page) -> Json:
    """What was asked of the server last."""
    await page.wait_for_function("sent.some((m) => m.type === 'request')")
    return json.loads(await page.evaluate("JSON.stringify(sent.findLast((m) => m.type === 'request'))"))


async def asked(page: Page) -> tuple[str, Json]:
    said = (await request(page))["request"]
    return said["command"], said["params"]


async def stream(page: Page, count: int, words: int) -> float:
    """Streams into the last entry; the milliseconds that a word takes to be drawn, in the middle of all."""
    script = """async ([last, words]) => {
      const chat = document.querySelector('q-chat');
      const times = [];
      for (let n = 0; n < words; n++) {
        const patch = [{op: 'append', entryId: last, part: 'text', offset: n * 5, text: 'word '}];
        const begun = performance.now();
        window.dispatchEvent(new MessageEvent('message', {data: {type: 'patched', rev: n + 1, patch}}));
        await chat.updateComplete;
        times.push(performance.now() - begun);
        await new Promise(requestAnimationFrame);
      }
      return times.sort((a, b) => a - b)[Math.floor(words / 2)];
    }"""
    return await page.evaluate(script, [f"ent_{count - 1}", words])


async def test_two_thousand_entries_stay_smooth_while_the_last_one_streams(page: Page) -> None:
    await show_messages(page, 20)
    short = await stream(page, 20, 40)
    await show_messages(page, 2000)
    long = await stream(page, 2000, 40)
    assert await page.locator("q-entry").last.inner_text() == ("word " * 40).strip()
    assert long < max(16.0, 10 * short), (short, long)


async def test_who_reads_further_up_is_not_moved_and_the_focus_stays(page: Page) -> None:
    await show_messages(page, 100)
    await page.locator("q-composer textarea").focus()
    await page.evaluate("document.querySelector('main').scrollTop = 1000")
    await page.locator("button.latest").wait_for()
    before = await page.evaluate("document.querySelector('main').scrollTop")
    await stream(page, 100, 60)
    assert await page.evaluate("document.querySelector('main').scrollTop") == before
    assert await page.evaluate("document.activeElement.tagName") == "TEXTAREA"
    await page.locator("button.latest").click()
    await page.wait_for_function(
        "(m => m.scrollHeight - m.scrollTop - m.clientHeight < 2)(document.querySelector('main'))"
    )


async def test_a_refused_message_comes_back_into_the_field(page: Page) -> None:
    await show_messages(page, 2)
    field = page.locator("q-composer textarea")
    await field.fill("Do it.")
    await field.press("Enter")
    assert await field.input_value() == ""
    await field.press_sequentially("And then")
    said: Json = {"text": "Do it.", "attachments": [], "whenBusy": "queue", "sessionId": "ses_1"}
    assert await asked(page) == ("teamwright.chat", said)
    refusal = {"type": "refusal", "id": (await request(page))["id"], "message": "Too many sessions are at work."}
    await page.evaluate("(message) => window.postMessage(message)", {**refusal, "code": 429})
    await page.locator(".fault", has_text="Too many sessions").wait_for()
    assert await field.input_value() == "Do it.\nAnd then"


async def test_what_was_missed_is_asked_for_again(page: Page) -> None:
    await show_messages(page, 2)
    before = await page.evaluate("sent.filter((m) => m.type === 'ready').length")
    await page.evaluate("window.postMessage({type: 'patched', rev: 9, patch: []})")
    await page.wait_for_function("(n) => sent.filter((m) => m.type === 'ready').length === n", arg=before + 1)


async def test_rows_that_no_longer_count_are_struck_through_and_tones_have_their_sign(page: Page) -> None:
    def row(*cells: str, **fields: object) -> Json:
        return {"cells": [{"text": cell} for cell in cells], **fields}

    columns = [{"label": "Agent"}, {"label": "For"}, {"label": "Tokens", "align": "right"}]
    rows = [row("alpha", "alpha", "10", void=True), row("beta", "beta", "20")]
    rows[1]["cells"][0] |= {"tone": "accent", "hint": "Chosen to present"}
    votes = {"part": "votes", "kind": "table", "title": "Votes", "data": {"columns": columns, "rows": rows}}
    await show(page, entry("run", votes, kind="run", title="Choose.", state="running"))
    struck = await page.locator("tr s").all_inner_texts()
    assert struck == ["alpha", "alpha", "10"]
    assert await page.locator("td[title='Chosen to present'] .codicon-circle-filled").count() == 1
    assert await page.locator("td.right").last.inner_text() == "20"


async def test_a_question_is_answered_by_a_button_a_key_or_in_own_words(page: Page) -> None:
    decision = {"decisionId": "dec_1"}
    words = {"path": ["text"], "kind": "text", "label": "Your answer", "required": True, "long": True}
    question = entry("ask", markdown("Which **port**?"), kind="decision", title="alpha asks", state="waiting")
    question["actions"] = [
        action("8080", "teamwright.respond", {**decision, "text": "8080"}, key="1"),
        action("9090", "teamwright.respond", {**decision, "text": "9090"}, key="2"),
        action("Answer in your own words", "teamwright.respond", decision, key="r", input=[words]),
    ]
    await show(page, question)
    await page.locator("vscode-button", has_text="8080").click()
    assert await asked(page) == ("teamwright.respond", {**decision, "text": "8080"})
    await page.keyboard.press("2")
    await page.wait_for_function("sent.filter((m) => m.type === 'request').length === 2")
    assert await asked(page) == ("teamwright.respond", {**decision, "text": "9090"})
    field = page.get_by_label("Your answer")
    await field.press("Enter")
    await page.locator(".fault", has_text="Your answer").wait_for()
    await field.fill("443, of course")
    await field.press("Enter")
    await page.wait_for_function("sent.filter((m) => m.type === 'request').length === 3")
    assert await asked(page) == ("teamwright.respond", {**decision, "text": "443, of course"})


async def test_of_a_form_only_what_was_changed_is_sent(page: Page) -> None:
    def field(name: str, kind: str, value: object, **fields: object) -> Json:
        return {"path": ["edits", *name.split(".")], "kind": kind, "label": name, "value": value, **fields}

    modes = [{"label": "One agent", "value": "single"}, {"label": "The team", "value": "multi"}]
    columns = [{"key": "path", "label": "Path"}]
    fields = [
        field("task", "text", "Do it.", required=True, long=True),
        field("agentMode", "choice", "multi", options=modes),
        field("agents", "list", ["alpha", "beta"]),
        field("refinement", "flag", value=True),
        field("contextPaths", "rows", [{"path": "a.py", "permission": "write"}], columns=columns),
        field("budget.usd", "number", value=None, group="Budget"),
    ]
    approve = {"decisionId": "dec_1", "choice": "approve"}
    waiting = entry("run", kind="decision", title="Run the team?", state="waiting")
    waiting["actions"] = [
        action("Approve", "teamwright.approve", approve, primary=True),
        action("Edit", "teamwright.approve", {**approve, "edits": {}}, input=fields),
    ]
    await show(page, waiting)
    await page.locator("vscode-button", has_text="Edit…").click()
    send = page.locator("vscode-button", has_text="Approve")
    await send.click()
    assert await asked(page) == ("teamwright.approve", {**approve, "edits": {}})
    await page.get_by_label("agentMode").select_option("One agent")
    await page.get_by_label("agents", exact=True).fill("beta\n")
    await page.get_by_label("refinement", exact=True).uncheck()
    await page.get_by_label("Path 1").fill("b.py")
    await page.get_by_text("Budget", exact=True).click()
    await page.get_by_label("budget.usd").fill("0.5")
    await send.click()
    await page.wait_for_function("sent.filter((m) => m.type === 'request').length === 2")
    edits: Json = {"agentMode": "single", "agents": ["beta"], "refinement": False, "budget": {"usd": 0.5}}
    edits["contextPaths"] = [{"path": "b.py", "permission": "write"}]
    assert await asked(page) == ("teamwright.approve", {**approve, "edits": edits})


async def test_the_hunks_that_are_ticked_are_applied(page: Page) -> None:
    def hunk(index: int) -> Json:
        numbers = {"oldStart": index + 1, "oldLines": 1, "newStart": index + 1, "newLines": 1}
        return {"index": index, **numbers, "lines": ["-before", "+after"]}

    data = {"uri": "file:///w/a.py", "change": "edit", "added": 2, "removed": 2, "hunks": [hunk(0), hunk(1)]}
    diff = {"part": "file:///w/a.py", "kind": "diff", "text": "a.py", "title": "by alpha", "data": data}
    approve = {"decisionId": "dec_1", "choice": "approve"}
    ticked = {"path": ["edits", "files"], "kind": "hunks", "label": "What to apply"}
    changes = entry("changes", diff, kind="changes", title="Changes to 1 file", state="waiting", runId="run_1")
    changes["actions"] = [
        action("Apply", "teamwright.approve", approve, primary=True, input=[ticked]),
        action(
            "Open the diff",
            "teamwright.changes.open",
            {"runId": "run_1", "uri": "file:///w/a.py"},
            part="file:///w/a.py",
        ),
    ]
    await show(page, changes)
    await page.locator("vscode-button", has_text="Apply").click()
    assert await asked(page) == ("teamwright.approve", approve)
    await page.get_by_label("Apply change 2 of a.py").click()
    refused = await page.evaluate("sent.at(-1).action")
    assert refused == {"do": "refuseHunks", "entryId": "ent_changes", "hunks": ["file:///w/a.py#1"]}
    change = {"refused": {"ent_changes": refused["hunks"]}}
    await page.evaluate("(change) => window.postMessage({type: 'state', change})", change)
    await page.locator(".hunk.refused").wait_for()
    await page.locator("vscode-button", has_text="Apply").click()
    await page.wait_for_function("sent.filter((m) => m.type === 'request').length === 2")
    files = [{"uri": "file:///w/a.py", "hunks": [0]}]
    assert await asked(page) == ("teamwright.approve", {**approve, "edits": {"files": files}})
    await page.get_by_text("Open the diff").click()
    opened = {"do": "openChanges", "runId": "run_1", "uris": ["file:///w/a.py"]}
    assert await page.evaluate("sent.at(-1).action") == opened


async def test_stop_ends_the_turn_under_way_with_all_that_it_has_started(page: Page) -> None:
    def message(name: str, label: str, state: str) -> Json:
        cancel = action(label, "teamwright.cancel", {"turnId": name})
        return entry(name, markdown("Do it."), kind="message", title="You", state=state, actions=[cancel])

    cancel_run = action("Cancel the run", "teamwright.cancel", {"runId": "run_1"})
    run = entry("run", kind="run", title="Do it.", state="running", actions=[cancel_run])
    await show(page, message("turn_1", "Stop", "sent"), run, message("turn_2", "Take back", "queued"))
    await page.get_by_label("Stop").click()
    assert await asked(page) == ("teamwright.cancel", {"turnId": "turn_1"})
    await page.locator("vscode-button", has_text="Take back").click()
    await page.wait_for_function("sent.filter((m) => m.type === 'request').length === 2")
    assert await asked(page) == ("teamwright.cancel", {"turnId": "turn_2"})


async def test_text_is_drawn_as_text_whatever_it_holds(page: Page) -> None:
    evil = "<img src=x onerror='window.evil = 1'><script>window.evil = 1</script>"
    code = {"part": "code", "kind": "code", "text": evil, "data": {"language": "html"}}
    unknown = {"part": "new", "kind": "hologram", "text": evil}
    await show(
        page, entry("evil", markdown(evil), {**markdown(evil, "plain"), "kind": "plain"}, code, unknown, title=evil)
    )
    assert await page.locator("q-entry img, q-entry script").count() == 0
    assert (await page.locator("q-entry").inner_text()).count("onerror=") == 5
    assert await page.evaluate("window.evil") is None
