import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chosenFiles, hunkIds, withRefusals, withValue } from "../../src/changes/choice.js";
import type { DiffData } from "../../src/protocol.gen.js";

const hunk = (index: number) => ({ index, oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] });
const edit: DiffData = { uri: "file:///a", change: "edit", added: 2, removed: 2, hunks: [hunk(0), hunk(1)] };
const deletion: DiffData = { uri: "file:///b", change: "delete", added: 0, removed: 1, hunks: [] };

test("with nothing refused, everything is approved", () => {
  assert.equal(chosenFiles([edit, deletion], []), undefined);
});

test("a refused hunk leaves the others of its file, and the other files", () => {
  const chosen = chosenFiles([edit, deletion], ["file:///a#1"]);
  assert.deepEqual(chosen, [{ uri: "file:///a", hunks: [0] }, { uri: "file:///b" }]);
});

test("a file whose hunks are all refused is left out, and so is a refused deletion", () => {
  const refused = withRefusals(withRefusals([], hunkIds(edit), true), hunkIds(deletion), true);
  assert.deepEqual(chosenFiles([edit, deletion], refused), []);
  assert.deepEqual(withRefusals(refused, hunkIds(edit), false), ["file:///b"]);
});

test("what is filled in goes to its place among the arguments, and what is not leaves them as they are", () => {
  const given = { choice: "approve", edits: { budget: { usd: 1 } } };
  assert.deepEqual(withValue(given, ["edits", "budget", "tokens"], 9), {
    choice: "approve",
    edits: { budget: { usd: 1, tokens: 9 } },
  });
  assert.deepEqual(withValue({}, ["edits", "files"], undefined), {});
  assert.deepEqual(given, { choice: "approve", edits: { budget: { usd: 1 } } });
});

test("every colour comes from the editor's theme", () => {
  const style = ["base", "pages", "entries", "parts", "markdown"]
    .map((name) => readFileSync(`webview/style/${name}.css`, "utf8"))
    .join("");
  const own = style.match(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(|:\s*(?:black|white|red|green|blue|gr[ae]y)\b/gi);
  assert.equal(own, null);
});
