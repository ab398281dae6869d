import assert from "node:assert/strict";
import * as vscode from "vscode";
import manifest from "../../package.json";

const ID = "teamwright.teamwright";

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
      ours.filter((command) => !command.startsWith("teamwright.ui.")),
      [],
    );
  });

  it("takes what starts programs from the user alone until the workspace is trusted", () => {
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, "limited");
    assert.deepEqual(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations, [
      "teamwright.server.command",
      "teamwright.server.interpreter",
      "teamwright.configPath",
    ]);
  });

  it("starts the server and speaks its protocol", async () => {
    const status = await serverCommand<{ trusted: boolean; agents: { agentId: string }[] }>("teamwright.status");
    assert.deepEqual(
      status.agents.map(({ agentId }) => agentId),
      ["alpha", "beta", "gamma"],
    );
    assert.equal(status.trusted, vscode.workspace.isTrusted);
  });

  it("asks the server for the text of a proposed change, and says why there is none", async () => {
    const address = { runId: "run_0", uri: "file:///nothing.py", side: "after" };
    const uri = vscode.Uri.from({ scheme: "teamwright-change", path: "/nothing.py", query: JSON.stringify(address) });
    await eventually("the server", async () => ((await serverCommand("teamwright.status")) ? true : undefined));
    await assert.rejects(async () => vscode.workspace.openTextDocument(uri), /teamwright-change/);
  });

  it("syncs what is typed, before it is saved", async () => {
    const document = await vscode.workspace.openTextDocument({ content: "unsaved", language: "plaintext" });
    await vscode.window.showTextDocument(document);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), "unsaved");
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });

  it("restarts the server on the user's word", async () => {
    await vscode.commands.executeCommand("teamwright.ui.restartServer");
    const status = await serverCommand<{ agents: unknown[] }>("teamwright.status");
    assert.equal(status.agents.length, 3);
  });
});
