/** The line to the extension. */

import type { Ask, Deed, FileMatch, FromWebview, ToWebview } from "../src/messages.js";
import type { CommandName, Commands } from "../src/protocol.gen.js";

const vscode = acquireVsCodeApi<Remembered>();

/** What this web view needs to be restored by the editor. */
export interface Remembered {
  runId?: string;
}

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (fault: Error) => void;
}

const waiting = new Map<number, Waiting>();
let lastId = 0;

export function remembered(): Remembered {
  return vscode.getState() ?? {};
}

export function remember(change: Remembered): void {
  vscode.setState({ ...remembered(), ...change });
}

export const ask: Ask = async <C extends CommandName>(command: C, params: Commands[C]["params"]) => {
  return (await expect((id) => ({ type: "request", id, command, params }))) as Commands[C]["result"];
};

export async function findFiles(query: string): Promise<FileMatch[]> {
  return (await expect((id) => ({ type: "findFiles", id, query }))) as FileMatch[];
}

export function perform(deed: Deed): void {
  send({ type: "deed", deed });
}

export function listen(take: (message: ToWebview) => void): void {
  window.addEventListener("message", ({ data }: MessageEvent<ToWebview>) => {
    if (data.type === "answer") settle(data.id)?.resolve(data.result);
    else if (data.type === "refusal") settle(data.id)?.reject(new Error(data.message));
    else take(data);
  });
  send({ type: "ready" });
}

function expect(message: (id: number) => FromWebview): Promise<unknown> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    send(message(id));
  });
}

function settle(id: number): Waiting | undefined {
  const found = waiting.get(id);
  waiting.delete(id);
  return found;
}

function send(message: FromWebview): void {
  vscode.postMessage(message);
}
