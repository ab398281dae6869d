/** Which command starts the server: the configured one, else one on the PATH, else our own environment. */

import { type Builder, privateInterpreter } from "./environment.js";
import { SetupFault } from "./fault.js";
import { findProgram, isExecutable } from "./programs.js";

export interface Wanted {
  command: readonly string[];
  interpreter: string;
}

export type Launch = readonly [command: string, ...args: string[]];

export async function locateServer(wanted: Wanted, builder: () => Promise<Builder>): Promise<Launch> {
  const [command, ...args] = wanted.command;
  if (command !== undefined) return [await runnable(command, "quorate.server.command"), ...args, "serve"];
  if (wanted.interpreter !== "") {
    return [await runnable(wanted.interpreter, "quorate.server.interpreter"), "-m", "quorate", "serve"];
  }
  const installed = await findProgram("quorate");
  if (installed !== undefined) return [installed, "serve"];
  return [await privateInterpreter(await builder()), "-m", "quorate", "serve"];
}

async function runnable(program: string, setting: string): Promise<string> {
  const found = /[\\/]/.test(program) && (await isExecutable(program)) ? program : await findProgram(program);
  if (found !== undefined) return found;
  throw new SetupFault(`${program} cannot be run.`, `Correct the setting ${setting}, or clear it.`);
}
