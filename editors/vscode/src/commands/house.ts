/** Commands on the server and its surroundings. */

import * as vscode from "vscode";
import type { Conversation } from "../conversation.js";
import type { Keys } from "../keys.js";
import { forgetEnvironments } from "../server/environment.js";
import type { Server } from "../server/server.js";
import type { CommandTable } from "./table.js";

interface Parts {
  server: Server;
  conversation: Conversation;
  keys: Keys;
  log: vscode.LogOutputChannel;
  storage: string;
  extensionId: string;
}

export function houseCommands({ server, conversation, keys, log, storage, extensionId }: Parts): CommandTable {
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
      const { agents, versions } = await server.request("quorate.status", {});
      const items = agents.map((agent) => ({
        label: `$(${HEALTH_ICONS[agent.health]}) ${agent.agentId}`,
        description: [agent.backend, agent.model].filter(Boolean).join(" · "),
        detail: agent.detail ?? agent.health,
      }));
      await vscode.window.showQuickPick(items, { title: `The team (server ${versions.server})` });
    },
    openWalkthrough: () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${extensionId}#start`, false),
    manageTrust: () => vscode.commands.executeCommand("workbench.trust.manage"),
  };
}

const HEALTH_ICONS = { ok: "pass", unknown: "question", unreachable: "error", misconfigured: "warning" } as const;
