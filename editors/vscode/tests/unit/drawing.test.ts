import assert from "node:assert/strict";
import { test } from "node:test";
import { hunksOf } from "../../webview/decisions/hunk_lines.js";

test("a diff is cut into its hunks, without the lines that name the files", () => {
  const diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n c\n@@ -9 +9 @@\n-d\n+e\n";
  assert.deepEqual(hunksOf(diff), [
    ["@@ -1,2 +1,2 @@", "-a", "+b", " c"],
    ["@@ -9 +9 @@", "-d", "+e"],
  ]);
});
