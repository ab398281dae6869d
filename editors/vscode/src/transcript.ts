/** What the server draws for its clients: entries by id, in order. Shared by the extension and its web views. */

import type { Action, AppendText, Entry, Part, PatchOp, Transcript, TranscriptPatched } from "./protocol.gen.js";

export const EMPTY: Transcript = { rev: 0, entries: [], more: false };

/** With one notification's patch; null if something was missed, and the transcript must be opened again. */
export function patched(transcript: Transcript, { rev, patch }: Omit<TranscriptPatched, "type">): Transcript | null {
  // What was on its way while it was opened stands in what was opened.
  if (rev <= transcript.rev) return transcript;
  if (rev > transcript.rev + 1) return null;
  const entries = [...transcript.entries];
  return patch.every((op) => applied(entries, op)) ? { ...transcript, rev, entries } : null;
}

function applied(entries: Entry[], op: PatchOp): boolean {
  const at = positionOf(entries, op.op === "upsert" ? op.entry.entryId : op.entryId);
  switch (op.op) {
    case "upsert":
      if (at >= 0) entries[at] = op.entry;
      else entries.splice(positionOf(entries, op.after ?? "") + 1 || entries.length, 0, op.entry);
      return true;
    case "remove":
      if (at >= 0) entries.splice(at, 1);
      return true;
    case "append": {
      const entry = entries[at];
      const parts = entry?.parts.map((part) => (part.part === op.part ? longer(part, op) : part));
      if (entry === undefined || parts === undefined || parts.includes(null)) return false;
      entries[at] = { ...entry, parts: parts.filter((part) => part !== null) };
      return true;
    }
  }
}

/** Null if the text does not continue what is there; lengths are counted in code points. */
function longer(part: Part, { offset, text }: AppendText): Part | null {
  return "text" in part && [...part.text].length === offset ? { ...part, text: part.text + text } : null;
}

/** From the end: what changes is among the latest. */
function positionOf(entries: readonly Entry[], entryId: string): number {
  return entries.findLastIndex((entry) => entry.entryId === entryId);
}

/** The latest of the actions with this command that the entries offer, and its entry. */
export function offered(entries: readonly Entry[], command: string): { entry: Entry; action: Action } | undefined {
  for (const entry of entries.toReversed()) {
    const action = entry.actions.find((each) => each.command === command);
    if (action !== undefined) return { entry, action };
  }
  return undefined;
}
