/** Programs of this machine: found on the PATH, and run to their end. */

import { spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

const ON_WINDOWS = process.platform === "win32";

export async function findProgram(name: string, path = process.env.PATH ?? ""): Promise<string | undefined> {
  const endings = ON_WINDOWS ? (process.env.PATHEXT ?? ".EXE;.CMD;.BAT").split(";") : [""];
  for (const directory of path.split(delimiter).filter((each) => isAbsolute(each))) {
    for (const ending of endings) {
      const candidate = join(directory, name + ending);
      if (await isExecutable(candidate)) return candidate;
    }
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

export interface Ended {
  code: number | null;
  stdout: string;
  /** Both streams, as they came. */
  output: string;
}

/** Its output line by line as it comes, and as a whole. The signal ends it. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; signal: AbortSignal; onLine: (line: string) => void },
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      // Never in the workspace: what lies there is data.
      cwd: homedir(),
      env: { ...process.env, ...options.env },
      signal: options.signal,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let [stdout, output] = ["", ""];
    const take = (text: string) => {
      output += text;
      for (const line of text.split(/\r?\n/).filter(Boolean)) options.onLine(line);
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      take(text);
    });
    child.stderr.setEncoding("utf8").on("data", take);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, output }));
  });
}

/** Why there is no server, and what the user can do about it. */
export class SetupFault extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
