/** The line to the extension. */

import type { EditorAction, FileMatch, FromWebview, Request, ToWebview } from "../src/messages.js";
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

export function remember(state: Remembered): void {
  vscode.setState(state);
}

export async function ask<C extends CommandName>(
  command: C,
  params: Commands[C]["params"],
): Promise<Commands[C]["result"]> {
  const request = { command, params } as Request;
  return (await expect((id) => ({ type: "request", id, request }))) as Commands[C]["result"];
}

/** An action of an entry: a command that the server has filled in, and knows to be one. */
export async function send(command: string, params: Record<string, unknown>): Promise<void> {
  await expect((id) => ({ type: "request", id, request: { command, params } as unknown as Request }));
}

export async function findFiles(query: string): Promise<FileMatch[]> {
  return (await expect((id) => ({ type: "findFiles", id, query }))) as FileMatch[];
}

export function perform(action: EditorAction): void {
  post({ type: "editor", action });
}

/** To be told everything anew. */
export function ready(): void {
  post({ type: "ready" });
}

export function listen(take: (message: ToWebview) => void): void {
  window.addEventListener("message", ({ data }: MessageEvent<ToWebview>) => {
    if (data.type === "answer") settle(data.id)?.resolve(data.result);
    else if (data.type === "refusal") settle(data.id)?.reject(new Error(data.message));
    else take(data);
  });
  ready();
}

function expect(message: (id: number) => FromWebview): Promise<unknown> {
  lastId += 1;
  const id = lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    post(message(id));
  });
}

function settle(id: number): Waiting | undefined {
  const found = waiting.get(id);
  waiting.delete(id);
  return found;
}

function post(message: FromWebview): void {
  vscode.postMessage(message);
}
