/** Which command starts the server: the configured one, else one on the PATH, else our own environment. */

import { type Builder, privateInterpreter } from "./environment.js";
import { findProgram, isExecutable, runProgram, SetupFault } from "./programs.js";

export const PROTOCOL_VERSION = 1;
const IDENTITY_DEADLINE_MS = 30_000;
const QUOTED_LENGTH = 80;
const COMMAND = "teamwright.server.command";
const INTERPRETER = "teamwright.server.interpreter";
/** Without -P Python would import what lies in the folder that it is started in. */
const ISOLATED = ["-P", "-m", "teamwright"] as const;

export interface Wanted {
  command: readonly string[];
  interpreter: string;
}

export type Launch = readonly [command: string, ...args: string[]];

/** Where it looks, and whom it tells of what it passes over. */
export interface Surroundings {
  path?: string;
  builder: () => Promise<Builder>;
  /** A program on the PATH has our name and is not ours: the sentence to tell the user. */
  onStranger: (sentence: string) => void;
}

/** No program is started before it has said who it is; one that is configured and somebody else's is a fault. */
export async function locateServer(wanted: Wanted, { path, builder, onStranger }: Surroundings): Promise<Launch> {
  const [command, ...args] = wanted.command;
  if (command !== undefined) return configured(COMMAND, [await runnable(command, COMMAND), ...args]);
  if (wanted.interpreter !== "") {
    return configured(INTERPRETER, [await runnable(wanted.interpreter, INTERPRETER), ...ISOLATED]);
  }
  const installed = await findProgram("teamwright", path);
  if (installed !== undefined) {
    const strange = await strangeness([installed]);
    if (strange === null) return [installed, "serve"];
    onStranger(`${strange} The server that this extension carries is used instead.`);
  }
  const own: Launch = [await privateInterpreter(await builder()), ...ISOLATED];
  const strange = await strangeness(own);
  if (strange === null) return [...own, "serve"];
  throw new SetupFault(strange, "Rebuild the server's environment from the command palette; the log has the details.");
}

async function configured(setting: string, program: Launch): Promise<Launch> {
  const strange = await strangeness(program);
  if (strange === null) return [...program, "serve"];
  throw new SetupFault(strange, `Correct the setting ${setting}, or clear it: this extension carries a server.`);
}

async function runnable(program: string, setting: string): Promise<string> {
  const found = /[\\/]/.test(program) && (await isExecutable(program)) ? program : await findProgram(program);
  if (found !== undefined) return found;
  throw new SetupFault(`${program} cannot be run.`, `Correct the setting ${setting}, or clear it.`);
}

/** Null if the program says that it is our server, in a form that no other program gives; else what it is instead. */
async function strangeness(program: Launch): Promise<string | null> {
  const [command, ...args] = program;
  const said = await answerOf(command, [...args, "--version", "--json"]);
  const { program: name, version, protocolVersion } = identityIn(said);
  const shown = program.join(" ");
  if (name !== "teamwright") return `${shown} is not the Teamwright server: asked who it is, it ${quoted(said)}.`;
  if (protocolVersion === PROTOCOL_VERSION) return null;
  return `${shown} is Teamwright ${String(version)}, which does not fit this version of the extension.`;
}

async function answerOf(command: string, args: readonly string[]): Promise<string> {
  const signal = AbortSignal.timeout(IDENTITY_DEADLINE_MS);
  try {
    const { stdout, output } = await runProgram(command, args, { signal, onLine: () => {} });
    return stdout.trim() || output.trim();
  } catch {
    return "";
  }
}

function identityIn(said: string): Record<string, unknown> {
  try {
    return (JSON.parse(said) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function quoted(said: string): string {
  const line = said.split("\n").at(-1) ?? "";
  if (line === "") return "says nothing";
  return `says “${line.length > QUOTED_LENGTH ? `${line.slice(0, QUOTED_LENGTH - 1)}…` : line}”`;
}
