"""A real VS Code with our extension, in a real browser."""

import asyncio
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from playwright.async_api import BrowserContext, Playwright

from tests.support.patience import PATIENCE_SECONDS
from tests.vscode.installation import Installation
from tests.vscode.window import PATIENCE_MS, Window

_HOST_MS = 3 * PATIENCE_MS
_HOST_REPORT = "host-report.txt"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    # Nothing in the window reaches beyond this machine, and a test that would need it fails.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
]
_SETTINGS = {
    "workbench.colorTheme": "Default Dark Modern",
    "workbench.startupEditor": "none",
    "workbench.enableExperiments": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "chat.disableAIFeatures": True,
    "telemetry.telemetryLevel": "off",
    "extensions.ignoreRecommendations": True,
    "extensions.autoCheckUpdates": False,
    "git.enabled": False,
    "editor.minimap.enabled": False,
    "window.restoreWindows": "none",
    "security.workspace.trust.enabled": False,
}


class Workbench:
    """One VS Code server and one browser; every window of it has a folder of its own."""

    def __init__(
        self,
        context: BrowserContext,
        process: asyncio.subprocess.Process,
        url: str,
        *,
        pictures: Path,
        home: Path,
    ) -> None:
        self._home = home
        self._host_report = home / _HOST_REPORT
        self._context = context
        self._process = process
        self._url = url
        self._pictures = pictures

    @classmethod
    async def start(
        cls,
        playwright: Playwright,
        installation: Installation,
        home: Path,
        *,
        env: Mapping[str, str],
        settings: Mapping[str, object],
        pictures: Path,
    ) -> "Workbench":
        # What starts programs is a setting of the machine, which a window on a server reads from its own file.
        for scope, values in {"User": _SETTINGS, "Machine": settings}.items():
            _write_settings(home, scope, values)
        surroundings = {
            **env,
            "TEAMWRIGHT_HOST_REPORT": str(home / _HOST_REPORT),
            "HOME": str(home),
            "EXTENSIONS_GALLERY": '{"serviceUrl":""}',
        }
        await _run(installation.command(home, "--install-extension", str(installation.vsix)), surroundings)
        listening = ["--host", "127.0.0.1", "--port", "0", "--without-connection-token", "--disable-telemetry"]
        process = await asyncio.create_subprocess_exec(
            *installation.command(home, *listening, "--enable-smoke-test-driver"),
            env=surroundings,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        url = await _address(process)
        context = await playwright.chromium.launch_persistent_context(
            home / "chromium",
            executable_path=CHROMIUM,
            args=CHROMIUM_ARGUMENTS,
            viewport={"width": 1280, "height": 800},
        )
        context.set_default_timeout(PATIENCE_MS)
        return cls(context, process, url, pictures=pictures, home=home)

    async def open(self, folder: Path, *, file: str | None = None) -> Window:
        """A window on the folder, with the file open in it, once the workbench is drawn."""
        page = await self._context.new_page()
        await page.goto(self._address(folder, {} if file is None else {"openFile": folder / file}))
        window = Window(page, self._pictures)
        await window.drawn()
        return window

    async def run_inside(self, folder: Path, extension: Path, tests: Path) -> tuple[int, str]:
        """The outcome and the report of tests that run in the extension host of a window of their own."""
        page = await self._context.new_page()
        await page.add_init_script("window.codeAutomationExit = (code) => { window.ended = code; }")
        await page.add_init_script("window.codeAutomationLog = () => {}")
        self._host_report.write_text("", encoding="utf-8")
        await page.goto(self._address(folder, {"extensionDevelopmentPath": extension, "extensionTestsPath": tests}))
        await page.wait_for_function("window.ended !== undefined", timeout=_HOST_MS)
        code: int = await page.evaluate("window.ended")
        return code, self._host_report.read_text(encoding="utf-8")

    def _address(self, folder: Path, paths: Mapping[str, Path]) -> str:
        # The page's own address must be the authority, else a file opens as a second document.
        remote = f"vscode-remote://{self._url.removeprefix('http://')}"
        payload = [["skipWelcome", "true"], *([name, f"{remote}{path}"] for name, path in paths.items())]
        return f"{self._url}/?folder={quote(str(folder))}&payload={quote(json.dumps(payload))}"

    def configure(self, settings: Mapping[str, object]) -> None:
        """The user's own settings, for the windows that are opened or reloaded from now on."""
        _write_settings(self._home, "User", {**_SETTINGS, **settings})

    async def close_windows(self, *, picture: str | None = None) -> None:
        for number, page in enumerate(self._context.pages[1:]):
            if picture is not None:
                await page.screenshot(path=self._pictures / f"{picture}-{number}.png")
            await page.close()

    async def close(self) -> None:
        await self._context.close()
        self._process.terminate()
        await asyncio.wait_for(self._process.communicate(), timeout=PATIENCE_SECONDS)


def _write_settings(home: Path, scope: str, values: Mapping[str, object]) -> None:
    file = home / "data" / scope / "settings.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(values), encoding="utf-8")


async def _run(command: list[str], env: Mapping[str, str]) -> None:
    process = await asyncio.create_subprocess_exec(*command, env=env, stdout=asyncio.subprocess.PIPE)
    async with asyncio.timeout(PATIENCE_SECONDS):
        output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()


async def _address(process: asyncio.subprocess.Process) -> str:
    """Where it listens: on the port that the kernel picked."""
    assert process.stdout is not None
    said = ""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while line := (await process.stdout.readline()).decode():
            said += line
            if bound := re.search(r"Extension host agent listening on (\d+)", line):
                return f"http://127.0.0.1:{bound[1]}"
    raise AssertionError(f"VS Code did not start: {said}")
