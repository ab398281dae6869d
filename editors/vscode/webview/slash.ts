/** What can be typed after a slash. Each is another way to something that has a button or a command. */

import type { UiCommand } from "../src/messages.js";
import type { Attachment, Entry, ModesInput } from "../src/protocol.gen.js";
import { offered } from "../src/transcript.js";
import { ask, perform, send } from "./port.js";

export interface Surroundings {
  sessionId: string | null;
  entries: readonly Entry[];
  /** What is attached to what is being written. */
  attachments: readonly Attachment[];
  /** Those were sent along. */
  detach: (sent: readonly Attachment[]) => void;
  setModes: (change: ModesInput) => Promise<void>;
}

export interface SlashCommand {
  name: string;
  argument?: string;
  help: string;
  /** What it returns is shown as a note below the composer. */
  run: (rest: string, surroundings: Surroundings) => Promise<string | undefined>;
}

const ui = (name: string, command: UiCommand, help: string): SlashCommand => ({
  name,
  help,
  run: async () => {
    perform({ do: "runCommand", command });
    return undefined;
  },
});

const modes = (name: string, help: string, change: (rest: string) => ModesInput, argument?: string): SlashCommand => ({
  name,
  help,
  ...(argument === undefined ? {} : { argument }),
  run: async (rest, { setModes }) => {
    await setModes(change(rest));
    return undefined;
  },
});

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: "help", help: "Show what there is", run: async () => helpText() },
  {
    name: "run",
    argument: "task",
    help: "Put a task to the team straight away",
    run: async (task, { sessionId, attachments, detach }) => {
      if (task === "") throw new Error("Say what the team shall do: /run <task>");
      await ask("teamwright.launch_run", { task, sessionId, attachments: [...attachments] });
      detach(attachments);
      return undefined;
    },
  },
  {
    name: "steer",
    argument: "text",
    help: "Tell the agents at work something",
    run: async (text, { sessionId }) => {
      if (sessionId === null) throw new Error("Nothing is running.");
      const { delivered } = await ask("teamwright.steer", { text, sessionId });
      return delivered.length === 0 ? "Nobody is at work." : `Told ${delivered.join(", ")}.`;
    },
  },
  {
    name: "cancel",
    help: "Stop what is under way",
    run: async (_, { entries }) => {
      // What is queued has not begun; it is taken back where it stands. A turn ends with all that it has started.
      const begun = entries.filter(({ state }) => state !== "queued");
      const asked = begun.filter(({ kind }) => kind === "message");
      const found = offered(asked, "teamwright.cancel") ?? offered(begun, "teamwright.cancel");
      if (found === undefined) return "Nothing is running.";
      await send(found.action.command, found.action.arguments);
      return undefined;
    },
  },
  modes("plan", "Plan before doing: on, off or auto", (rest) => ({ plan: triState(rest || "on") }), "on|off|auto"),
  modes("single", "One agent alone", (rest) => ({ agentMode: "single", agentId: rest || null }), "agent"),
  modes("multi", "The whole team", () => ({ agentMode: "multi", agentId: null })),
  modes(
    "refine",
    "Agents improve on each other: on, off or auto",
    (rest) => ({ refinement: triState(rest || "on") }),
    "on|off|auto",
  ),
  modes("autonomous", "Work without asking", () => ({ autonomy: "autonomous" })),
  modes("ask", "Ask before acting", () => ({ autonomy: "hitl" })),
  modes("team", "When the team works: auto, always or never", (rest) => ({ team: teamOf(rest) }), "auto|always|never"),
  ui("new", "teamwright.ui.newSession", "Start a new session"),
  ui("sessions", "teamwright.ui.searchSessions", "Find a session"),
  ui("rename", "teamwright.ui.renameSession", "Rename this session"),
  ui("fork", "teamwright.ui.forkSession", "Go on in a copy of this session"),
  ui("export", "teamwright.ui.exportSession", "Export this session"),
  ui("delete", "teamwright.ui.deleteSession", "Delete this session"),
  ui("stats", "teamwright.ui.sessionStats", "Turns, runs, tokens and cost of this session"),
  ui("agents", "teamwright.ui.teamStats", "Which agents win, agree, cost and break checks"),
  ui("project", "teamwright.ui.selectProject", "Choose the project"),
  ui("status", "teamwright.ui.showStatus", "The team and how it is"),
  ui("key", "teamwright.ui.setApiKey", "Store an API key"),
  ui("review", "teamwright.ui.reviewSelection", "Review the selection with the team"),
  ui("explain", "teamwright.ui.explainSelection", "Explain the selection"),
  ui("fix", "teamwright.ui.fixSelection", "Fix the selection"),
  ui("test", "teamwright.ui.testSelection", "Write tests for the selection"),
  {
    name: "compact",
    help: "Summarise earlier messages",
    run: async (_, { sessionId }) => {
      if (sessionId === null) throw new Error("There is nothing to summarise yet.");
      await ask("teamwright.session.compact", { sessionId });
      return undefined;
    },
  },
];

/** The command that a text starts with, if it is one. */
export function slashCommand(text: string): { command: SlashCommand; rest: string } | undefined {
  const [, name, rest = ""] = /^\/(\w+)\s*([\s\S]*)$/.exec(text) ?? [];
  const command = SLASH_COMMANDS.find((each) => each.name === name);
  return command === undefined ? undefined : { command, rest: rest.trim() };
}

function helpText(): string {
  const lines = SLASH_COMMANDS.map(({ name, argument, help }) => {
    const usage = argument === undefined ? `/${name}` : `/${name} ${argument}`;
    return `- \`${usage.replaceAll("|", "\u200b|")}\` ${help}`;
  });
  const keys = "**Shift+Tab** toggles plan mode, **Ctrl+O** compares the answers, **@** attaches a file.";
  return [...lines, "", keys].join("\n");
}

function triState(word: string): boolean | null {
  return word === "auto" ? null : word !== "off";
}

function teamOf(word: string): "auto" | "always" | "never" {
  return word === "always" || word === "never" ? word : "auto";
}
