import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveTranscript } from "../../src/live_transcript.js";
import type { Entry, PatchOp, Transcript } from "../../src/protocol.gen.js";
import { INITIAL, Store, waiting } from "../../src/state.js";
import { EMPTY, offered, patched } from "../../src/transcript.js";

const entry = (entryId: string, text = "", change: Partial<Entry> = {}): Entry => ({
  entryId,
  kind: "answer",
  parts: [{ part: "text", kind: "markdown", text }],
  actions: [],
  ...change,
});
const append = (entryId: string, offset: number, text: string): PatchOp => ({
  op: "append",
  entryId,
  part: "text",
  offset,
  text,
});
const shown = (...entries: Entry[]): Transcript => ({ rev: 7, entries, more: false });
const after = (before: Transcript, ...patch: PatchOp[]) => patched(before, { rev: before.rev + 1, patch });
const ids = (transcript: Transcript | null) => transcript?.entries.map(({ entryId }) => entryId);
const texts = (transcript: Transcript | null) =>
  transcript?.entries.flatMap(({ parts }) => parts.map((part) => ("text" in part ? part.text : "")));

test("a new entry goes to the end, or behind the one that it names", () => {
  const before = shown(entry("a"), entry("b"));
  assert.deepEqual(ids(after(before, { op: "upsert", entry: entry("c") })), ["a", "b", "c"]);
  assert.deepEqual(ids(after(before, { op: "upsert", entry: entry("c"), after: "a" })), ["a", "c", "b"]);
});

test("a known entry is replaced where it stands, and can be taken out", () => {
  const before = shown(entry("a", "old"), entry("b"));
  assert.deepEqual(texts(after(before, { op: "upsert", entry: entry("a", "new") })), ["new", ""]);
  assert.deepEqual(ids(after(before, { op: "remove", entryId: "a" })), ["b"]);
});

test("text is appended where it fits; lengths are counted in code points", () => {
  const grown = after(shown(entry("a", "😀")), append("a", 1, "!"), append("a", 2, "?"));
  assert.deepEqual(texts(grown), ["😀!?"]);
  assert.equal(grown?.rev, 8);
});

test("what was missed is noticed: a gap in the count, a text that does not fit, an entry that is not there", () => {
  const before = shown(entry("a", "Hello"));
  assert.equal(patched(before, { rev: 9, patch: [] }), null);
  assert.equal(after(before, append("a", 9, "gap")), null);
  assert.equal(after(before, append("b", 0, "nobody")), null);
});

test("what is known already changes nothing", () => {
  const before = shown(entry("a", "Hello"));
  assert.equal(patched(before, { rev: 7, patch: [{ op: "remove", entryId: "a" }] }), before);
});

test("a patch leaves the transcript before it as it was", () => {
  const before = shown(entry("a", "Hello"));
  after(before, append("a", 5, "!"), { op: "upsert", entry: entry("b") });
  assert.deepEqual(texts(before), ["Hello"]);
});

test("the latest action of a kind is found, with its entry", () => {
  const cancel = (runId: string) => ({ label: "Cancel", command: "teamwright.cancel", arguments: { runId } });
  const entries = [entry("a", "", { actions: [cancel("1")] }), entry("b", "", { actions: [cancel("2")] }), entry("c")];
  assert.equal(offered(entries, "teamwright.cancel")?.entry.entryId, "b");
  assert.equal(offered(entries, "teamwright.override"), undefined);
});

test("a shown transcript tells its listeners what has changed, and says when something was missed", () => {
  const live = new LiveTranscript();
  const heard: string[] = [];
  live.subscribe(({ type }) => heard.push(type));
  live.show(shown(entry("a")));
  assert.equal(live.take({ type: "transcript.patched", rev: 8, patch: [append("a", 0, "x")] }), true);
  assert.equal(live.take({ type: "transcript.patched", rev: 10, patch: [] }), false);
  assert.deepEqual(heard, ["transcript", "patched"]);
  assert.deepEqual(texts(live.transcript), ["x"]);
});

test("patches that come while it is being opened stand in the answer, and the last one asked for is shown", async () => {
  const live = new LiveTranscript();
  let answer = (_: Transcript) => {};
  const first = live.open(() => new Promise((resolve) => (answer = resolve)));
  assert.equal(live.take({ type: "transcript.patched", rev: 3, patch: [] }), true);
  const second = live.open(() => Promise.resolve(shown(entry("second"))));
  answer(shown(entry("first")));
  assert.deepEqual(await Promise.all([first, second]), [false, true]);
  assert.deepEqual(ids(live.transcript), ["second"]);
});

test("one that cannot be opened stays as it was and goes on", async () => {
  const live = new LiveTranscript();
  live.show({ ...EMPTY, rev: 1 });
  await assert.rejects(
    live.open(() => Promise.reject(new Error("gone"))),
    /gone/,
  );
  assert.equal(live.take({ type: "transcript.patched", rev: 2, patch: [{ op: "upsert", entry: entry("a") }] }), true);
});

test("the store tells its listeners what has changed, until they leave", () => {
  const store = new Store();
  const heard: string[] = [];
  const listening = store.subscribe((_, change) => heard.push(...Object.keys(change)));
  store.set({ sessionId: "ses_1" });
  listening.dispose();
  store.set({ sessionId: null });
  assert.deepEqual(heard, ["sessionId"]);
});

test("decisions are counted over all sessions", () => {
  const modes = {
    plan: null,
    agentMode: null,
    agentId: null,
    refinement: null,
    autonomy: "hitl",
    team: "auto",
  } as const;
  const session = (sessionId: string, pendingDecisions: number) => ({
    ...{ sessionId, pendingDecisions, modes, title: "", createdAt: "", updatedAt: "", lastMessage: "" },
    ...{ turns: 0, runs: 0, busy: false },
  });
  assert.equal(waiting({ ...INITIAL, sessions: { a: session("a", 1), b: session("b", 2) } }), 3);
});

test("two thousand entries and what streams into the last are kept in well under a frame each", () => {
  let transcript = shown(...Array.from({ length: 2000 }, (_, number) => entry(`${number}`)));
  const begun = performance.now();
  for (let offset = 0; offset < 100; offset += 1) {
    const next = after(transcript, append("1999", offset, "x"));
    assert.ok(next !== null);
    transcript = next;
  }
  assert.equal(texts(transcript)?.at(-1)?.length, 100);
  assert.ok((performance.now() - begun) / 100 < 16);
});
