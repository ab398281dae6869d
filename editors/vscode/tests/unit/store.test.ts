import assert from "node:assert/strict";
import { test } from "node:test";
import { isGap, reduce } from "../../src/model/reduce.js";
import { emptySession, INITIAL, type State } from "../../src/model/state.js";
import { Store } from "../../src/model/store.js";
import type { Decision, EventRecord } from "../../src/protocol.gen.js";
import { record, runView, SUMMARY, VIEW } from "./records.js";

const OPEN: State = { ...INITIAL, current: emptySession("ses_1") };
const QUESTION: Decision = {
  decisionId: "dec_1",
  kind: "input",
  title: "Which port?",
  choices: [],
  detail: { question: "Which port?", choices: [] },
};

function after(...records: EventRecord[]): State {
  return records.reduce((state, each) => reduce(state, { type: "record", record: each }), OPEN);
}

const started = record(1, { type: "item.started", item: { itemId: "itm_1", kind: "assistant_message", text: "" } });
const delta = (offset: number, text: string) => record(null, { type: "item.delta", itemId: "itm_1", offset, text });
const textOf = (state: State) => {
  const item = state.current?.items[0]?.item;
  return item !== undefined && "text" in item ? item.text : undefined;
};

test("deltas are appended to their item", () => {
  assert.equal(textOf(after(started, delta(0, "Hello"), delta(5, " there"))), "Hello there");
});

test("offsets count code points, so that a smiley is one", () => {
  assert.equal(textOf(after(started, delta(0, "😀"), delta(1, "!"))), "😀!");
});

test("a delta that was missed leaves the text to the finished item", () => {
  const cut = after(started, delta(0, "Hello"), delta(9, "gap"));
  assert.equal(textOf(cut), "Hello");
  const item = { itemId: "itm_1", kind: "assistant_message" as const, text: "Hello to the gap" };
  const whole = reduce(cut, { type: "record", record: record(2, { type: "item.finished", item }) });
  assert.equal(textOf(whole), "Hello to the gap");
});

test("an agent's item belongs to its run and is no line of the transcript", () => {
  const place = { runId: "run_1", agentId: "alpha" };
  const state = after(
    record(1, { type: "item.started", item: { itemId: "itm_1", kind: "reasoning", text: "" } }, place),
  );
  assert.deepEqual(state.current?.entries, []);
  assert.deepEqual(state.current?.runs.run_1?.items, [0]);
});

test("a run's view is replaced, never computed", () => {
  const place = { runId: "run_1" };
  const state = after(
    record(null, { type: "run.updated", run: runView("run_1") }, place),
    record(null, { type: "run.updated", run: runView("run_1", { phase: "voting" }) }, place),
  );
  assert.equal(state.current?.runs.run_1?.view?.phase, "voting");
  assert.deepEqual(state.current?.entries, [{ kind: "run", id: "run_1" }]);
});

test("what became of a file is said once, as it is now", () => {
  const place = { runId: "run_1" };
  const settled = (seq: number, outcome: "applied" | "rejected") =>
    record(seq, { type: "changes.settled", settled: [{ uri: "file:///a", outcome }] }, place);
  const state = after(settled(1, "applied"), settled(2, "rejected"));
  assert.deepEqual(state.current?.runs.run_1?.settled, [{ uri: "file:///a", outcome: "rejected" }]);
});

test("a decision waits in its session and in the workspace until it is resolved", () => {
  const asked = after(record(1, { type: "decision.requested", decision: QUESTION }, { runId: "run_1" }));
  assert.deepEqual(Object.keys(asked.waiting), ["dec_1"]);
  const resolved = record(2, {
    type: "decision.resolved",
    decisionId: "dec_1",
    choice: "answer",
    by: "user",
    text: "80",
  });
  const state = reduce(asked, { type: "record", record: resolved });
  assert.deepEqual(state.waiting, {});
  assert.equal(state.current?.decisions.dec_1?.resolution?.text, "80");
});

test("decisions of other sessions are known without being lines of this one", () => {
  const state = after(record(7, { type: "decision.requested", decision: QUESTION }, { sessionId: "ses_2" }));
  assert.equal(state.waiting.dec_1?.sessionId, "ses_2");
  assert.deepEqual(state.current?.entries, []);
});

test("a record that was seen before changes nothing", () => {
  const state = after(started);
  assert.equal(reduce(state, { type: "record", record: started }).current, state.current);
});

test("a durable record that does not follow the last one is a gap", () => {
  const state = after(started);
  assert.equal(isGap(state, record(2, { type: "session.updated", session: SUMMARY })), false);
  assert.equal(isGap(state, record(3, { type: "session.updated", session: SUMMARY })), true);
  assert.equal(isGap(state, record(null, { type: "session.resync", lastSeq: 9 })), true);
});

test("an opened session has the text so far of what still streams", () => {
  const item = { itemId: "itm_1", kind: "assistant_message" as const, text: "So far" };
  const page = { session: { ...VIEW, items: [item] }, events: [started], more: false };
  const state = reduce(INITIAL, { type: "opened", fromSeq: 0, pages: [page] });
  assert.equal(textOf(state), "So far");
  assert.equal(textOf(reduce(state, { type: "record", record: delta(6, "!") })), "So far!");
});

test("what waits in an opened session waits in the workspace", () => {
  const asked = record(1, { type: "decision.requested", decision: QUESTION });
  const page = { session: { ...VIEW, decisions: [QUESTION] }, events: [asked], more: false };
  const state = reduce(INITIAL, { type: "opened", fromSeq: 0, pages: [page] });
  assert.deepEqual(Object.keys(state.waiting), ["dec_1"]);
});

test("the store tells its listeners what changed", () => {
  const store = new Store();
  const heard: string[] = [];
  const listening = store.subscribe((_, action) => heard.push(action.type));
  store.dispatch({ type: "left" });
  listening.dispose();
  store.dispatch({ type: "left" });
  assert.deepEqual(heard, ["left"]);
});

test("two thousand items and their deltas are folded in well under a frame each", () => {
  let state = OPEN;
  for (let seq = 1; seq <= 2000; seq += 1) {
    const item = { itemId: `itm_${seq}`, kind: "assistant_message" as const, text: "" };
    state = reduce(state, { type: "record", record: record(seq, { type: "item.started", item }) });
  }
  const begun = performance.now();
  for (let offset = 0; offset < 100; offset += 1) {
    state = reduce(state, {
      type: "record",
      record: record(null, { type: "item.delta", itemId: "itm_2000", offset, text: "x" }),
    });
  }
  assert.equal(state.current?.items.at(-1)?.points, 100);
  assert.ok((performance.now() - begun) / 100 < 16);
});
