/** What was written and not sent, by session. It survives a reload of the window. */

import type * as vscode from "vscode";

const DRAFTS = "quorate.drafts";

export class Drafts {
  constructor(private readonly memory: vscode.Memento) {}

  get all(): Record<string, string> {
    return this.memory.get(DRAFTS, {});
  }

  async keep(key: string, text: string): Promise<void> {
    const { [key]: _, ...others } = this.all;
    await this.memory.update(DRAFTS, text === "" ? others : { ...others, [key]: text });
  }
}
