/** What can be typed after a slash. Each is another way to something that has a button or a command. */

import type { UiCommand } from "../src/messages.js";
import type { Session } from "../src/model/state.js";
import type { ModesInput } from "../src/protocol.gen.js";
import { ask, perform } from "./port.js";

export interface Surroundings {
  session: Session | null;
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
    run: async (task, { session }) => {
      if (task === "") throw new Error("Say what the team shall do: /run <task>");
      await ask("quorate.launch_run", { task, ...(session === null ? {} : { sessionId: session.sessionId }) });
      return undefined;
    },
  },
  {
    name: "steer",
    argument: "text",
    help: "Tell the agents at work something",
    run: async (text, { session }) => {
      if (session === null) throw new Error("Nothing is running.");
      const { delivered } = await ask("quorate.steer", { text, sessionId: session.sessionId });
      return delivered.length === 0 ? "Nobody is at work." : `Told ${delivered.join(", ")}.`;
    },
  },
  {
    name: "cancel",
    help: "Stop what is under way",
    run: async (_, { session }) => {
      const turn = Object.values(session?.turns ?? {}).find((each) => each.phase === "working");
      const run = Object.values(session?.runs ?? {}).find((each) => each.ending === undefined);
      if (turn !== undefined) await ask("quorate.cancel", { turnId: turn.turnId });
      else if (run !== undefined) await ask("quorate.cancel", { runId: run.runId });
      else return "Nothing is running.";
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
  ui("new", "quorate.ui.newSession", "Start a new session"),
  ui("sessions", "quorate.ui.searchSessions", "Find a session"),
  ui("rename", "quorate.ui.renameSession", "Rename this session"),
  ui("fork", "quorate.ui.forkSession", "Go on in a copy of this session"),
  ui("export", "quorate.ui.exportSession", "Export this session"),
  ui("delete", "quorate.ui.deleteSession", "Delete this session"),
  ui("stats", "quorate.ui.sessionStats", "Turns, runs, tokens and cost of this session"),
  ui("project", "quorate.ui.selectProject", "Choose the project"),
  ui("status", "quorate.ui.showStatus", "The team and how it is"),
  ui("key", "quorate.ui.setApiKey", "Store an API key"),
  ui("review", "quorate.ui.reviewSelection", "Review the selection with the team"),
  ui("explain", "quorate.ui.explainSelection", "Explain the selection"),
  ui("fix", "quorate.ui.fixSelection", "Fix the selection"),
  ui("test", "quorate.ui.testSelection", "Write tests for the selection"),
  {
    name: "compact",
    help: "Summarise earlier messages",
    run: async (_, { session }) => {
      if (session === null) throw new Error("There is nothing to summarise yet.");
      await ask("quorate.session.compact", { sessionId: session.sessionId });
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
