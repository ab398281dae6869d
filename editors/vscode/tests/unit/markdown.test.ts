import assert from "node:assert/strict";
import { test } from "node:test";
import { renderBlocks } from "../../webview/markdown.js";

const html = (text: string) => renderBlocks(text).join("");

test("raw HTML of a model is text", () => {
  assert.equal(html("<img src=x onerror=alert(1)>"), "<p>&lt;img src=x onerror=alert(1)&gt;</p>\n");
});

test("links that run something are text", () => {
  for (const href of [
    "javascript:alert(1)",
    "command:workbench.action.quit",
    "vscode://x",
    "data:text/html,x",
    "file:///etc",
  ]) {
    assert.ok(!html(`[press](${href})`).includes("<a "), href);
  }
});

test("links to web pages and to files of the workspace are links", () => {
  assert.ok(html("[docs](https://example.com)").includes('<a href="https://example.com">'));
  assert.ok(html("[code](src/main.py#L3)").includes('<a href="src/main.py#L3">'));
});

test("images are never loaded", () => {
  assert.ok(!html("![x](https://example.com/x.png)").includes("<img"));
});

test("code has its colours and its buttons", () => {
  const [block = ""] = renderBlocks("```python\ndef f(): pass\n```");
  assert.ok(block.includes('<span class="hljs-keyword">def</span>'));
  assert.deepEqual(
    [...block.matchAll(/data-action="(\w+)"/g)].map((each) => each[1]),
    ["copy", "insert", "applyCode"],
  );
});

test("code in an unknown language is escaped as it is", () => {
  assert.ok(html("```<b>\n<script>\n```").includes("&lt;script&gt;"));
});

test("while a text grows, only its last block changes", () => {
  const before = renderBlocks("First.\n\nSecond");
  const after = renderBlocks("First.\n\nSecond grows.\n\nThird.");
  assert.equal(after[0], before[0]);
  assert.equal(after.length, 3);
});

test("code that is not closed yet is drawn as code", () => {
  assert.ok(html("```js\nlet x").includes("code-block"));
});
