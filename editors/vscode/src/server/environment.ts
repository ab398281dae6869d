/** A Python environment of our own, built from the locked list that the extension carries. */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { findProgram, runProgram, SetupFault } from "./programs.js";

const OLDEST_PYTHON = "3.11";
const BUILD_DEADLINE_MS = 10 * 60_000;

export interface Builder {
  /** Where the extension keeps the server's package and its locked list. */
  carried: string;
  /** Where environments may be built. */
  storage: string;
  log: (line: string) => void;
  progress: (text: string) => void;
  cancelled: AbortSignal;
}

/** The interpreter of the environment for exactly this server, built if it is not there yet. */
export async function privateInterpreter(builder: Builder): Promise<string> {
  const { lock, wheel } = await carriedServer(builder.carried);
  const key = createHash("sha256")
    .update(await readFile(lock))
    .update(await readFile(wheel))
    .digest("hex")
    .slice(0, 16);
  const home = join(builder.storage, `environment-${key}`);
  if (await exists(home)) return interpreterOf(home);
  // Built aside and moved into place whole: neither a crash nor a second window leaves half of one.
  const aside = `${home}.${process.pid}`;
  await mkdir(builder.storage, { recursive: true });
  await rm(aside, { recursive: true, force: true });
  try {
    await build(aside, lock, wheel, builder);
    await rename(aside, home).catch(async (fault: unknown) => {
      if (!(await exists(home))) throw fault;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return interpreterOf(home);
}

export async function forgetEnvironments(storage: string): Promise<void> {
  const entries: string[] = await readdir(storage).catch(() => []);
  const ours = entries.filter((name) => name.startsWith("environment-"));
  await Promise.all(ours.map((name) => rm(join(storage, name), { recursive: true, force: true })));
}

async function carriedServer(carried: string): Promise<{ lock: string; wheel: string }> {
  const files: string[] = await readdir(carried).catch(() => []);
  const wheel = files.find((name) => name.endsWith(".whl"));
  if (wheel === undefined || !files.includes("requirements.lock")) {
    throw new SetupFault(
      "This build of the extension does not carry the Teamwright server.",
      "Install a build that does (`make vsix` makes one), or set teamwright.server.interpreter.",
    );
  }
  return { lock: join(carried, "requirements.lock"), wheel: join(carried, wheel) };
}

async function build(home: string, lock: string, wheel: string, builder: Builder): Promise<void> {
  const uv = await findProgram("uv");
  const step = (text: string, command: string, args: string[]) => {
    builder.progress(text);
    return run(command, args, builder);
  };
  // What it needs comes from the registry by the locked versions. The server itself comes from the package that the
  // extension carries and from nowhere else: a registry may have a stranger's program under its name.
  const python = interpreterOf(home);
  if (uv !== undefined) {
    await step("Creating a Python environment", uv, ["venv", "--quiet", "--python", `>=${OLDEST_PYTHON}`, home]);
    const install = ["pip", "install", "--python", python];
    await step("Installing what the server needs", uv, [...install, "--requirement", lock]);
    await step("Installing the server", uv, [...install, "--no-deps", "--no-index", wheel]);
    return;
  }
  await step("Creating a Python environment", await findPython(builder), ["-m", "venv", home]);
  const install = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input"];
  await step("Installing what the server needs", python, [...install, "--requirement", lock]);
  await step("Installing the server", python, [...install, "--no-deps", "--no-index", wheel]);
}

async function findPython(builder: Builder): Promise<string> {
  const check = `import sys, venv, ensurepip; sys.exit(sys.version_info < (${OLDEST_PYTHON.replace(".", ", ")}))`;
  for (const name of ["python3", "python", "python3.13", "python3.12", "python3.11"]) {
    const python = await findProgram(name);
    if (python === undefined) continue;
    const { code } = await runProgram(python, ["-c", check], { signal: builder.cancelled, onLine: builder.log });
    if (code === 0) return python;
  }
  throw new SetupFault(
    `Teamwright needs Python ${OLDEST_PYTHON} or newer (with venv), and found none on the PATH.`,
    "Install Python or uv and restart the server, or set teamwright.server.interpreter.",
  );
}

async function run(command: string, args: string[], builder: Builder): Promise<void> {
  builder.log(`> ${command} ${args.join(" ")}`);
  const signal = AbortSignal.any([builder.cancelled, AbortSignal.timeout(BUILD_DEADLINE_MS)]);
  const env = { UV_COMPILE_BYTECODE: "1", PYTHONUTF8: "1" };
  const { code, output } = await runProgram(command, args, { env, signal, onLine: builder.log });
  if (code === 0) return;
  const last = output.trim().split("\n").at(-1) ?? "";
  throw new SetupFault(
    `Setting up the Teamwright server failed: ${last || `${command} ended with ${code}`}`,
    "The log has the details. Check the network, then restart the server; or set teamwright.server.interpreter.",
  );
}

function interpreterOf(home: string): string {
  return process.platform === "win32" ? join(home, "Scripts", "python.exe") : join(home, "bin", "python");
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
