/** What the extension and its web views say to each other. */

import type { Action } from "./model/reduce.js";
import type { State } from "./model/state.js";
import type { Attachment, CommandName, Commands, Range } from "./protocol.gen.js";

/** What only the extension can do, because it needs the editor. */
export type Deed =
  | { do: "newSession" }
  | { do: "openSession"; sessionId: string }
  | { do: "loadEarlier" }
  | { do: "copy"; text: string }
  | { do: "insert"; text: string }
  | { do: "applyCode"; text: string }
  | { do: "openUri"; uri: string; range?: Range }
  | { do: "openLink"; href: string }
  | { do: "openRun"; runId: string }
  | { do: "openText"; text: string; language: string }
  | { do: "compare"; left: string; right: string; title: string }
  | { do: "refuseHunks"; decisionId: string; hunks: string[] }
  | { do: "openChange"; runId: string; uri: string }
  | { do: "reviewChanges"; runId: string }
  | { do: "undoChanges"; runId: string }
  | { do: "attach"; what: "selection" | "file" | "problems" }
  | { do: "runCommand"; command: UiCommand }
  | { do: "keepDraft"; key: string; text: string };

/** Commands of the extension that a web view may ask for. */
export const UI_COMMANDS = [
  "quorate.ui.newSession",
  "quorate.ui.searchSessions",
  "quorate.ui.renameSession",
  "quorate.ui.forkSession",
  "quorate.ui.exportSession",
  "quorate.ui.deleteSession",
  "quorate.ui.sessionStats",
  "quorate.ui.selectProject",
  "quorate.ui.setApiKey",
  "quorate.ui.restartServer",
  "quorate.ui.showLog",
  "quorate.ui.showStatus",
  "quorate.ui.openWalkthrough",
  "quorate.ui.reviewSelection",
  "quorate.ui.explainSelection",
  "quorate.ui.fixSelection",
  "quorate.ui.testSelection",
  "quorate.ui.manageTrust",
  "quorate.ui.override",
] as const;
export type UiCommand = (typeof UI_COMMANDS)[number];

export interface FileMatch {
  uri: string;
  path: string;
}

export type FromWebview =
  | { type: "ready" }
  | { type: "request"; id: number; command: CommandName; params: unknown }
  | { type: "findFiles"; id: number; query: string }
  | { type: "deed"; deed: Deed };

export type ToWebview =
  | { type: "state"; state: State; drafts: Record<string, string>; runId?: string }
  | { type: "actions"; actions: Action[] }
  | { type: "answer"; id: number; result: unknown }
  | { type: "refusal"; id: number; message: string; code: number }
  | { type: "attached"; attachments: Attachment[]; text: string }
  | { type: "key"; key: "plan" | "override" | "compose" };

export type Ask = <C extends CommandName>(command: C, params: Commands[C]["params"]) => Promise<Commands[C]["result"]>;
