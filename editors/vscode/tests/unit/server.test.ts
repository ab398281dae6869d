import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import { privateInterpreter } from "../../src/server/environment.js";
import { locateServer } from "../../src/server/locate.js";
import { findProgram, SetupFault } from "../../src/server/programs.js";
import { Backoff, Coalesced } from "../../src/server/restarts.js";

const IDENTITY = '{"program": "teamwright", "version": "0.1.0", "protocolVersion": 1}';

/** A directory of its own, and in it a program that answers everything with this text, and complains as it does so. */
async function program(context: TestContext, says: string, complains = "a warning"): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "teamwright-"));
  context.after(() => rm(home, { recursive: true }));
  const path = join(home, "teamwright");
  await writeFile(path, `#!/bin/sh\necho '${says}'\necho '${complains}' >&2\n`);
  await chmod(path, 0o755);
  return path;
}

function surroundings(path = "") {
  const strangers: string[] = [];
  const builder = () => Promise.reject(new Error("the extension's own is built"));
  return { path, builder, strangers, onStranger: (sentence: string) => strangers.push(sentence) };
}

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

test("a configured command wins, then a configured interpreter, once each has said who it is", async (context) => {
  const ours = await program(context, IDENTITY);
  const command = await locateServer({ command: [ours, "-x"], interpreter: "" }, surroundings());
  assert.deepEqual(command, [ours, "-x", "serve"]);
  const interpreter = await locateServer({ command: [], interpreter: ours }, surroundings());
  assert.deepEqual(interpreter, [ours, "-P", "-m", "teamwright", "serve"]);
});

test("a setting that names nothing runnable says which one", async () => {
  const wanted = { command: ["/no/such/teamwright"], interpreter: "" };
  await assert.rejects(locateServer(wanted, surroundings()), (fault) => {
    return fault instanceof SetupFault && fault.hint.includes("teamwright.server.command");
  });
});

test("a setting that names somebody else's program is a fault that says so", async (context) => {
  for (const says of ["teamwright 9.9.9", "null", '{"program": "other", "protocolVersion": 1}']) {
    const stranger = await program(context, says);
    await assert.rejects(locateServer({ command: [stranger], interpreter: "" }, surroundings()), (fault) => {
      assert.ok(fault instanceof SetupFault);
      assert.equal(fault.message, `${stranger} is not the Teamwright server: asked who it is, it says “${says}”.`);
      return fault.hint.includes("teamwright.server.command");
    });
  }
});

test("an interpreter without the server says what is missing", async (context) => {
  const interpreter = await program(context, "", "No module named teamwright");
  await assert.rejects(locateServer({ command: [], interpreter }, surroundings()), /“No module named teamwright”/);
});

test("a server of another protocol does not fit, and says which version it is", async (context) => {
  const newer = await program(context, '{"program": "teamwright", "version": "7.0", "protocolVersion": 2}');
  await assert.rejects(
    locateServer({ command: [newer], interpreter: "" }, surroundings()),
    /is Teamwright 7\.0, which/,
  );
});

test("a program on the PATH is used if it is ours; a stranger of the same name is passed over and told of", async (context) => {
  const nothing = { command: [], interpreter: "" };
  const ours = await program(context, IDENTITY);
  assert.deepEqual(await locateServer(nothing, surroundings(dirname(ours))), [ours, "serve"]);
  const stranger = await program(context, "teamwright 9.9.9");
  const passed = surroundings(dirname(stranger));
  await assert.rejects(locateServer(nothing, passed), /the extension's own is built/);
  assert.equal(passed.strangers.length, 1);
  assert.match(
    passed.strangers[0] ?? "",
    /is not the Teamwright server: .*“teamwright 9\.9\.9”.*carries is used instead/,
  );
});

test("programs are found in the order of the PATH", async (context) => {
  const home = await mkdtemp(join(tmpdir(), "teamwright-"));
  context.after(() => rm(home, { recursive: true }));
  const program = join(home, "teamwright");
  await writeFile(program, "#!/bin/sh\n");
  assert.equal(await findProgram("teamwright", home), undefined);
  await chmod(program, 0o755);
  assert.equal(await findProgram("teamwright", home), program);
});

test("an extension without the server's package says how to go on", async (context) => {
  const home = await mkdtemp(join(tmpdir(), "teamwright-"));
  context.after(() => rm(home, { recursive: true }));
  const { signal } = new AbortController();
  const builder = { carried: home, storage: home, log: () => {}, progress: () => {}, cancelled: signal };
  await assert.rejects(privateInterpreter(builder), /does not carry the Teamwright server/);
});
