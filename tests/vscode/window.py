"""A window of VS Code, and what a person does in it."""

import asyncio
import contextlib
import re
from collections.abc import Callable
from pathlib import Path

from playwright.async_api import Error, Frame, Locator, Page, expect
from playwright.async_api import TimeoutError as TookTooLong

from tests.support.patience import PATIENCE_SECONDS

PATIENCE_MS = PATIENCE_SECONDS * 1000
# What did not come after this is asked for again: whatever takes the focus meanwhile closes a menu or the palette.
_AGAIN_MS = 5_000
expect.set_options(timeout=PATIENCE_MS)


class Window:
    def __init__(self, page: Page, pictures: Path) -> None:
        self.page = page
        self._pictures = pictures

    async def drawn(self) -> None:
        await self.page.wait_for_selector(".monaco-workbench .part.activitybar .action-item")

    async def open_chat(self) -> "Chat":
        """The side bar, opened by its icon."""
        await self.page.locator('.part.activitybar .action-item a[aria-label^="Teamwright"]').click()
        await self.page.mouse.move(800, 600)  # off the icon, whose tooltip would lie over the side bar
        return await self.chat()

    async def chat(self) -> "Chat":
        frame = await self.webview("chat")
        await expect(frame.locator("q-composer textarea[aria-label=Message]")).to_be_visible()
        return Chat(frame)

    async def reload(self) -> None:
        await self.page.reload()
        await self.drawn()

    async def webview(self, name: str) -> Frame:
        """The page of the web view with this name, inside its two frames."""

        body = f"body.{name} #app > *"
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                for frame in self.page.frames:
                    with contextlib.suppress(Error):  # a frame may go while it is looked at
                        if await frame.locator(body).count() and await _is_shown(frame):
                            return frame
                await self.page.wait_for_timeout(50)

    async def command(self, title: str) -> None:
        """From the palette."""
        field = self.page.locator(".quick-input-widget input[type=text]")
        row = self.page.locator(".quick-input-list .monaco-list-row", has_text=title).first
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                await self.page.keyboard.press("F1")
                with contextlib.suppress(TookTooLong):
                    await field.fill(f">{title}", timeout=_AGAIN_MS)
                    await row.click(timeout=_AGAIN_MS)
                    return

    async def answer(self, prompt: str, text: str) -> None:
        """Into the input box that asks so."""
        box = self.page.locator(".quick-input-widget", has_text=prompt)
        await box.locator("input[type=text]").fill(text)
        await box.locator("input[type=text]").press("Enter")

    async def code_action(self, title: str) -> None:
        """By keyboard: what it offers for the cursor or the selection."""
        row = self.page.locator(".action-widget .monaco-list-row", has_text=title).first
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not await row.is_visible():  # the server may not have offered it yet
                await self.page.keyboard.press("Escape")
                await self.page.keyboard.press("Control+Period")
                with contextlib.suppress(TookTooLong):
                    await row.wait_for(timeout=_AGAIN_MS)
            focused = self.page.locator(".action-widget .monaco-list-row.focused")
            while title not in await focused.inner_text():
                await self.page.keyboard.press("ArrowDown")
        await self.page.keyboard.press("Enter")

    @property
    def status_bar(self) -> Locator:
        return self.page.locator(".statusbar-item", has_text="Teamwright").first

    async def notification(self, text: str) -> Locator:
        """From the list behind the bell: this kind of workbench shows no toasts."""
        shown = self.page.locator(".notifications-center .notification-list-item", has_text=text)
        await self.page.locator(".statusbar-item[id='status.notifications']").click()
        await expect(shown).to_be_visible()
        return shown

    def editor_line(self, text: str) -> Locator:
        return self.page.locator(".editor-instance .view-line", has_text=text).first

    async def until(self, condition: Callable[[], bool]) -> None:
        """For what shows on disk alone."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not condition():
                await self.page.wait_for_timeout(50)

    async def picture(self, name: str) -> None:
        await self.page.screenshot(path=self._pictures / f"{name}.png")


async def _is_shown(frame: Frame) -> bool:
    """VS Code draws a page in a hidden frame first, and puts it in the place of the old one when it is loaded."""
    return await (await frame.frame_element()).get_attribute("id") == "active-frame"


class Chat:
    """The page in the side bar."""

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.message = frame.locator("q-composer textarea[aria-label=Message]")
        self.transcript = frame.locator("main.transcript")

    async def say(self, text: str) -> None:
        await self.message.fill(text)
        await self.message.press("Enter")

    async def rests(self) -> None:
        """Waits until nothing is under way: the last word of an answer is shown before its turn is over."""
        await expect(self.frame.locator(".context-bar")).to_contain_text("Idle")

    async def has_focus(self) -> None:
        """Waits until the page has the keyboard."""
        # Not `wait_for_function`: it evaluates text time and again, which the page's security policy forbids.
        focused = "new Promise((done) => addEventListener('focus', () => done(true), { once: true }))"
        await self.frame.evaluate(f"() => document.hasFocus() || {focused}")

    @property
    def decision(self) -> Locator:
        """What waits for a person: a question of its own, or one about a plan or a change set."""
        return self.frame.locator(".card:is(.decision, .plan, .changes).waiting")

    async def decide(self, label: str) -> None:
        await self.decision.locator("vscode-button", has_text=re.compile(rf"^\s*{re.escape(label)}\s*$")).click()

    def button(self, name: str) -> Locator:
        return self.frame.get_by_role("button", name=name, exact=True)
