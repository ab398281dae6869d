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


def item(number: int, text: str = "", *, finished: bool = True) -> Json:
    body = {"itemId": f"itm_{number}", "kind": "assistant_message", "text": text}
    return {"item": body, "finished": finished, "points": len(text)}


def state(count: int) -> Json:
    """A session of so many messages, the last of which is still being written."""
    said = [item(n, f"Message **{n}** with `code`.\n\n```python\nx = {n}\n```\n") for n in range(count - 1)]
    items = [*said, item(count - 1, finished=False)]
    summary = {"sessionId": "ses_1", "title": "Long", "createdAt": "", "updatedAt": "", "lastMessage": "", "busy": True}
    session = {
        "sessionId": "ses_1",
        "summary": {**summary, "turns": 1, "runs": 0, "pendingDecisions": 0, "modes": _MODES},
        "fromSeq": 0,
        "lastSeq": count,
        "entries": [{"kind": "item", "id": f"itm_{n}", "at": n} for n in range(count)],
        "items": items,
        "turns": {},
        "runs": {},
        "decisions": {},
        "findings": [],
    }
    house = {"server": {"state": "ready"}, "status": None, "sessions": {}, "waiting": {}, "refused": {}}
    return {"type": "state", "state": {**house, "current": session}, "drafts": {}}


async def show(page: Page, count: int) -> None:
    await page.evaluate("(message) => window.postMessage(message)", state(count))
    await page.wait_for_function("(n) => document.querySelectorAll('q-item').length === n", arg=count)


async def stream(page: Page, count: int, words: int) -> float:
    """Streams into the last item; the milliseconds that a word takes to be drawn, in the middle of all."""
    script = """async ([last, words]) => {
      const chat = document.querySelector('q-chat');
      const times = [];
      for (let n = 0; n < words; n++) {
        const event = {type: 'item.delta', itemId: last, offset: n * 5, text: 'word '};
        const record = {v: 1, seq: null, at: '', sessionId: 'ses_1', event};
        const begun = performance.now();
        const data = {type: 'actions', actions: [{type: 'record', record}]};
        window.dispatchEvent(new MessageEvent('message', {data}));
        await chat.updateComplete;
        times.push(performance.now() - begun);
        await new Promise(requestAnimationFrame);
      }
      return times.sort((a, b) => a - b)[Math.floor(words / 2)];
    }"""
    return await page.evaluate(script, [f"itm_{count - 1}", words])


async def test_two_thousand_items_stay_smooth_while_the_last_one_streams(page: Page) -> None:
    await show(page, 20)
    short = await stream(page, 20, 40)
    await show(page, 2000)
    long = await stream(page, 2000, 40)
    assert await page.locator("q-item").last.inner_text() == ("word " * 40).strip()
    assert long < max(16.0, 10 * short), (short, long)


async def test_who_reads_further_up_is_not_moved_and_the_focus_stays(page: Page) -> None:
    await show(page, 100)
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
    await show(page, 2)
    field = page.locator("q-composer textarea")
    await field.fill("Do it.")
    await field.press("Enter")
    assert await field.input_value() == ""
    await field.press_sequentially("And then")
    request = json.loads(await page.evaluate("JSON.stringify(sent.find((m) => m.type === 'request'))"))
    assert request["params"] == {"text": "Do it.", "attachments": [], "whenBusy": "queue", "sessionId": "ses_1"}
    refusal = {"type": "refusal", "id": request["id"], "message": "Too many sessions are at work.", "code": 429}
    await page.evaluate("(message) => window.postMessage(message)", refusal)
    await page.locator(".fault", has_text="Too many sessions").wait_for()
    assert await field.input_value() == "Do it.\nAnd then"


async def test_votes_that_no_longer_count_are_struck_through(page: Page) -> None:
    usage = {"inputTokens": 0, "outputTokens": 0, "calls": 0}
    agent = {"status": "voted", "attempt": 1, "answers": 1, "usage": usage}
    view: Json = {
        "runId": "run_1",
        "task": "Choose.",
        "phase": "voting",
        "agents": [{"agentId": name, **agent} for name in ("alpha", "beta")],
        "votes": [
            {"agentId": "alpha", "target": "alpha", "reason": "It was first.", "counts": False},
            {"agentId": "beta", "target": "beta", "reason": "It is newer.", "counts": True},
        ],
        **{key: [] for key in ("answers", "decisions", "written")},
        "tally": {"beta": 1},
        "usage": usage,
        "startedAt": "",
    }
    shown = state(1)
    run: Json = {
        "runId": "run_1",
        "view": view,
        **{key: [] for key in ("items", "answers", "messages", "changes", "settled")},
    }
    shown["state"]["current"]["runs"] = {"run_1": run}
    shown["state"]["current"]["entries"] = [{"kind": "run", "id": "run_1"}]
    await page.evaluate("(message) => window.postMessage(message)", shown)
    await page.locator(".votes li").nth(1).wait_for()
    (struck,) = await page.locator(".votes s").all_inner_texts()
    assert struck.split() == ["alpha", "alpha", "It", "was", "first."]
    assert "1 vote" in await page.locator(".agent", has_text="beta").inner_text()
