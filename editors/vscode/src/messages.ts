/** What the extension and its web views say to each other. */

import type { TranscriptNews } from "./live_transcript.js";
import type { Attachment, CommandName, Commands, Range, Transcript } from "./protocol.gen.js";
import type { State } from "./state.js";

/** What only the extension can do, because it needs the editor. */
export type EditorAction =
  | { do: "openSession"; sessionId: string }
  | { do: "loadEarlier" }
  | { do: "copy"; text: string }
  | { do: "insert"; text: string }
  | { do: "applyCode"; text: string }
  | { do: "openUri"; uri: string; range?: Range }
  | { do: "openLink"; href: string }
  | { do: "openRun"; runId: string }
  | { do: "saveReport"; runId: string }
  | { do: "refuseHunks"; entryId: string; hunks: readonly string[] }
  | { do: "openChanges"; runId: string; uris: readonly string[] }
  | { do: "attach"; what: "selection" | "file" | "problems" }
  | { do: "runCommand"; command: UiCommand }
  | { do: "keepDraft"; key: string; text: string };

/** Commands of the extension that a web view may ask for. */
export const UI_COMMANDS = [
  "teamwright.ui.newSession",
  "teamwright.ui.searchSessions",
  "teamwright.ui.renameSession",
  "teamwright.ui.forkSession",
  "teamwright.ui.exportSession",
  "teamwright.ui.deleteSession",
  "teamwright.ui.sessionStats",
  "teamwright.ui.teamStats",
  "teamwright.ui.selectProject",
  "teamwright.ui.setApiKey",
  "teamwright.ui.restartServer",
  "teamwright.ui.showLog",
  "teamwright.ui.openSettings",
  "teamwright.ui.showStatus",
  "teamwright.ui.reviewSelection",
  "teamwright.ui.explainSelection",
  "teamwright.ui.fixSelection",
  "teamwright.ui.testSelection",
  "teamwright.ui.manageTrust",
] as const;
export type UiCommand = (typeof UI_COMMANDS)[number];

export interface FileMatch {
  uri: string;
  path: string;
}

/** A command of the server's with params that fit it. */
export type Request = { [C in CommandName]: { command: C; params: Commands[C]["params"] } }[CommandName];

export type FromWebview =
  | { type: "ready" }
  | { type: "request"; id: number; request: Request }
  | { type: "findFiles"; id: number; query: string }
  | { type: "editor"; action: EditorAction };

export type ToWebview =
  | { type: "page"; state: State; transcript: Transcript; drafts: Record<string, string>; runId?: string }
  | { type: "state"; change: Partial<State> }
  | TranscriptNews
  | { type: "answer"; id: number; result: unknown }
  | { type: "refusal"; id: number; message: string; code: number }
  | { type: "attached"; attachments: Attachment[]; text: string }
  | { type: "key"; key: "plan" | "decide" | "compose" };
