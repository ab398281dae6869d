import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Backoff } from "../../src/server/backoff.js";
import { Coalesced } from "../../src/server/coalesced.js";
import { privateInterpreter } from "../../src/server/environment.js";
import { SetupFault } from "../../src/server/fault.js";
import { locateServer } from "../../src/server/locate.js";
import { findProgram } from "../../src/server/programs.js";

const noBuilder = () => Promise.reject(new Error("nothing is to be built"));

test("restarts that are asked for during a restart become one", async () => {
  let count = 0;
  let release = () => {};
  const restart = new Coalesced(() => {
    count += 1;
    return new Promise((resolve) => {
      release = resolve;
    });
  });
  const all = Promise.all([restart.run(), restart.run(), restart.run()]);
  release();
  await new Promise((resolve) => setImmediate(resolve));
  release();
  await all;
  assert.equal(count, 2);
});

test("a server that keeps dying is waited for longer each time, then given up", () => {
  const backoff = new Backoff();
  backoff.started(0);
  const delays = Array.from({ length: 6 }, () => backoff.died(1));
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, null]);
});

test("a server that lived long starts the count anew", () => {
  const backoff = new Backoff();
  backoff.started(0);
  backoff.died(1);
  assert.equal(backoff.died(61_000), 500);
});

test("a configured command wins, then a configured interpreter", async () => {
  const node = process.execPath;
  assert.deepEqual(await locateServer({ command: [node, "-x"], interpreter: "" }, noBuilder), [node, "-x", "serve"]);
  const launch = await locateServer({ command: [], interpreter: node }, noBuilder);
  assert.deepEqual(launch, [node, "-m", "quorate", "serve"]);
});

test("a setting that names nothing runnable says which one", async () => {
  const wanted = { command: ["/no/such/quorate"], interpreter: "" };
  await assert.rejects(locateServer(wanted, noBuilder), (fault) => {
    return fault instanceof SetupFault && fault.hint.includes("quorate.server.command");
  });
});

test("programs are found in the order of the PATH", async (context) => {
  const home = await mkdtemp(join(tmpdir(), "quorate-"));
  context.after(() => rm(home, { recursive: true }));
  const program = join(home, "quorate");
  await writeFile(program, "#!/bin/sh\n");
  assert.equal(await findProgram("quorate", home), undefined);
  await chmod(program, 0o755);
  assert.equal(await findProgram("quorate", home), program);
});

test("an extension without the server's package says how to go on", async (context) => {
  const home = await mkdtemp(join(tmpdir(), "quorate-"));
  context.after(() => rm(home, { recursive: true }));
  const { signal } = new AbortController();
  const builder = { carried: home, storage: home, log: () => {}, progress: () => {}, cancelled: signal };
  await assert.rejects(privateInterpreter(builder), /does not carry the Quorate server/);
});
