/** The page of a web view: our own files and nothing else. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

export function webviewOptions(extension: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableCommandUris: false,
    enableForms: false,
    localResourceRoots: [vscode.Uri.joinPath(extension, "dist", "webview")],
  };
}

export function page(webview: vscode.Webview, extension: vscode.Uri, name: "chat" | "run", title: string): string {
  const file = (path: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extension, "dist", "webview", path)).toString();
  const nonce = randomBytes(16).toString("base64url");
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    "form-action 'none'",
    "base-uri 'none'",
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta http-equiv="Content-Security-Policy" content="${policy}">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <link rel="stylesheet" id="vscode-codicon-stylesheet" href="${file("codicon.css")}">
  <link rel="stylesheet" href="${file("style.css")}">
  <title>${title}</title>
</head>
<body class="${name}">
  <div id="app"></div>
  <script nonce="${nonce}" src="${file(`${name}.js`)}"></script>
</body>
</html>`;
}
