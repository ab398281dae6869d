import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chosenFiles, hunkIds, withRefusals } from "../../src/changes/choice.js";
import type { Change } from "../../src/protocol.gen.js";
import { hunksOf } from "../../webview/decisions/hunk_lines.js";

test("a diff is cut into its hunks, without the lines that name the files", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n@@ -9 +9 @@\n-d\n+e\n";
  assert.deepEqual(hunksOf(diff), [
    ["@@ -1,2 +1,2 @@", "-a", "+b", " c"],
    ["@@ -9 +9 @@", "-d", "+e"],
  ]);
});

const hunk = (index: number) => ({ index, oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 });
const edit: Change = { uri: "file:///a", kind: "edit", diff: "", hunks: [hunk(0), hunk(1)], agentId: "alpha" };
const deletion: Change = { uri: "file:///b", kind: "delete", diff: "", hunks: [], agentId: "alpha" };

test("with nothing refused, everything is approved", () => {
  assert.equal(chosenFiles([edit, deletion], []), null);
});

test("a refused hunk leaves the others of its file, and the other files", () => {
  assert.deepEqual(chosenFiles([edit, deletion], ["file:///a#1"]), {
    files: [{ uri: "file:///a", hunks: [0] }, { uri: "file:///b" }],
  });
});

test("a file whose hunks are all refused is left out, and so is a refused deletion", () => {
  const refused = withRefusals(withRefusals([], hunkIds(edit), true), hunkIds(deletion), true);
  assert.deepEqual(chosenFiles([edit, deletion], refused), { files: [] });
  assert.deepEqual(withRefusals(refused, hunkIds(edit), false), ["file:///b"]);
});

test("every colour comes from the editor's theme", () => {
  const style = readFileSync("webview/style.css", "utf8");
  const own = style.match(/#[0-9a-f]{3,8}\b|\b(?:rgb|hsl)a?\(|:\s*(?:black|white|red|green|blue|gr[ae]y)\b/gi);
  assert.equal(own, null);
});
