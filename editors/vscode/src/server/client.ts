/** The language client, set up for our server: what it is told at the start, and what it tells us. */

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  type StaticFeature,
} from "vscode-languageclient/node";
import type { EventRecord } from "../protocol.gen.js";
import { type Launch, PROTOCOL_VERSION } from "./locate.js";

export interface Hooks {
  onRecord: (record: EventRecord) => void;
  /** A command of the server was run by VS Code itself, for example by a code action. */
  onExecuted: (result: unknown) => void;
}

/** `home` is a folder of ours to start it in: what lies in the workspace is data, and must not be found by accident. */
export function newClient(
  launch: Launch,
  { home, env }: { home: string; env: NodeJS.ProcessEnv },
  log: vscode.LogOutputChannel,
  hooks: Hooks,
) {
  const [command, ...args] = launch;
  const client = new LanguageClient(
    "teamwright",
    "Teamwright",
    { command, args, options: { cwd: home, env: { ...process.env, ...env } } },
    options(log, hooks),
  );
  client.registerFeature(ourProtocol);
  client.onNotification("teamwright/event", hooks.onRecord);
  return client;
}

/** Null if the server speaks our version of the protocol, else what is wrong. */
export function protocolFault(client: LanguageClient): string | null {
  const said: unknown = client.initializeResult?.capabilities.experimental;
  const version = (said as { teamwright?: { protocolVersion?: number } } | undefined)?.teamwright?.protocolVersion;
  if (version === PROTOCOL_VERSION) return null;
  return `The server speaks version ${version ?? "unknown"} of the protocol, this extension version ${PROTOCOL_VERSION}.`;
}

const ourProtocol: StaticFeature = {
  fillClientCapabilities(capabilities) {
    capabilities.experimental = { teamwright: { protocolVersion: PROTOCOL_VERSION } };
  },
  initialize() {},
  getState: () => ({ kind: "static" }),
  clear() {},
};

function options(log: vscode.LogOutputChannel, hooks: Hooks): LanguageClientOptions {
  return {
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
    outputChannel: log,
    initializationOptions: initializationOptions(),
    // Restarting is the business of `Server`, which says what it does.
    errorHandler: {
      error: () => ({ action: ErrorAction.Continue }),
      closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
    },
    middleware: {
      async executeCommand(command, args, next) {
        const result: unknown = await next(command, args);
        hooks.onExecuted(result);
        return result;
      },
    },
  };
}

function initializationOptions(): Record<string, unknown> {
  const configPath = vscode.workspace.getConfiguration("teamwright").get("configPath", "");
  return {
    editor: "vscode",
    transcript: true,
    trusted: vscode.workspace.isTrusted,
    ...(configPath === "" ? {} : { configPath }),
  };
}
