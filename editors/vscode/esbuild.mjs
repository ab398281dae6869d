// Bundles the extension and its web views into dist/, or the unit tests into out/tests/.
import { copyFile, mkdir, readdir } from "node:fs/promises";
import { build } from "esbuild";

const shared = { bundle: true, logLevel: "warning", sourcemap: "linked", target: "es2023" };

if (process.argv.includes("--tests")) {
  const names = (await readdir("tests/unit")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...shared,
    entryPoints: names.map((name) => `tests/unit/${name}`),
    outdir: "out/tests",
    platform: "node",
    format: "esm",
    outExtension: { ".js": ".mjs" },
    external: ["vscode"],
  });
  await build({
    ...shared,
    entryPoints: ["tests/host/index.ts", "tests/host/suites.ts"],
    outdir: "out/host",
    platform: "node",
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    external: ["vscode", "mocha", "./suites.cjs"],
  });
} else {
  await build({
    ...shared,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.cjs",
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    minify: true,
  });
  await build({
    ...shared,
    entryPoints: ["webview/chat.ts", "webview/run.ts", "webview/style.css"],
    outdir: "dist/webview",
    platform: "browser",
    format: "iife",
    minify: true,
    loader: { ".ttf": "file" },
  });
  await mkdir("dist/webview", { recursive: true });
  for (const name of ["codicon.css", "codicon.ttf"]) {
    await copyFile(`node_modules/@vscode/codicons/dist/${name}`, `dist/webview/${name}`);
  }
}
