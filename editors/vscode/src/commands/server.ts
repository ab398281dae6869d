/** Commands on the server and its surroundings. */

import * as vscode from "vscode";
import type { Conversation } from "../conversation.js";
import type { Keys } from "../keys.js";
import { forgetEnvironments } from "../server/environment.js";
import type { Server } from "../server/server.js";
import { sayFaults } from "../views/notifications.js";

/** Commands by their short names; `teamwright.ui.` is put before them, since the server's own are `teamwright.…`. */
export type CommandTable = Record<string, (...args: unknown[]) => Promise<unknown> | unknown>;

export function registerCommands(...tables: CommandTable[]): vscode.Disposable {
  const commands = tables.flatMap((table) => Object.entries(table));
  return vscode.Disposable.from(
    ...commands.map(([name, run]) =>
      vscode.commands.registerCommand(`teamwright.ui.${name}`, (...args: unknown[]) => sayFaults(() => run(...args))),
    ),
  );
}

interface Parts {
  server: Server;
  conversation: Conversation;
  keys: Keys;
  log: vscode.LogOutputChannel;
  storage: string;
  extensionId: string;
}

export function serverCommands({ server, conversation, keys, log, storage, extensionId }: Parts): CommandTable {
  return {
    restartServer: () => server.restart(),
    showLog: () => log.show(),
    rebuildEnvironment: async () => {
      await server.stop();
      await forgetEnvironments(storage);
      await server.restart();
    },
    setApiKey: async () => {
      if (await keys.askForKey()) await server.restart();
    },
    showStatus: async () => {
      await conversation.refresh();
      const { agents, versions } = await server.request("teamwright.status", {});
      const items = agents.map((agent) => ({
        label: `$(${HEALTH_ICONS[agent.health]}) ${agent.agentId}`,
        description: [agent.backend, agent.model].filter(Boolean).join(" · "),
        detail: agent.detail ?? agent.health,
      }));
      await vscode.window.showQuickPick(items, { title: `The team (server ${versions.server})` });
    },
    openWalkthrough: () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#start`, false),
    openSettings: () => vscode.commands.executeCommand("workbench.action.openSettings", "teamwright.server"),
    manageTrust: () => vscode.commands.executeCommand("workbench.trust.manage"),
  };
}

const HEALTH_ICONS = { ok: "pass", unknown: "question", unreachable: "error", misconfigured: "warning" } as const;
