import assert from "node:assert/strict";
import * as vscode from "vscode";
import manifest from "../../package.json";

const ID = "quorate.quorate";

async function eventually<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`It did not happen: ${what}`);
}

async function serverCommand<T>(name: string, params: object = {}): Promise<T> {
  await eventually(name, async () => ((await vscode.commands.getCommands(true)).includes(name) ? name : undefined));
  return vscode.commands.executeCommand<T>(name, params);
}

describe("the extension in its host", () => {
  before(async () => {
    await vscode.extensions.getExtension(ID)?.activate();
  });

  it("registers every command that it offers", async () => {
    const known = new Set(await vscode.commands.getCommands(true));
    const offered = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      offered.filter((command) => !known.has(command)),
      [],
    );
  });

  it("registers no command under a name of the server's", () => {
    const ours = manifest.contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      ours.filter((command) => !command.startsWith("quorate.ui.")),
      [],
    );
  });

  it("takes what starts programs from the user alone until the workspace is trusted", () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, "limited");
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, [
      "quorate.server.command",
      "quorate.server.interpreter",
      "quorate.configPath",
    ]);
  });

  it("starts the server and speaks its protocol", async () => {
    const status = await serverCommand<{ trusted: boolean; agents: { agentId: string }[] }>("quorate.status");
    assert.deepEqual(
      status.agents.map(({ agentId }) => agentId),
      ["alpha", "beta", "gamma"],
    );
    assert.equal(status.trusted, vscode.workspace.isTrusted);
  });

  it("shows the text of proposed changes in documents that cannot be edited", async () => {
    const uri = vscode.Uri.from({ scheme: "quorate-text", path: "/nothing.md" });
    assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), "");
  });

  it("syncs what is typed, before it is saved", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "unsaved", language: "plaintext" });
    await vscode.window.showTextDocument(document);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "unsaved");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("restarts the server on the user's word", async () => {
    await vscode.commands.executeCommand("quorate.ui.restartServer");
    const status = await serverCommand<{ agents: unknown[] }>("quorate.status");
    assert.equal(status.agents.length, 3);
  });
});
