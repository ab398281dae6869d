/** Messages to the user, all of them. VS Code makes `[words](command:…)` in a message a link that runs the command. */

import * as vscode from "vscode";

type Buttons<T extends string> = readonly T[];

export const say = {
  info: <T extends string>(text: string, ...buttons: Buttons<T>) =>
    vscode.window.showInformationMessage(withoutLinks(text), ...buttons),
  warning: <T extends string>(text: string, ...buttons: Buttons<T>) =>
    vscode.window.showWarningMessage(withoutLinks(text), ...buttons),
  error: <T extends string>(text: string, ...buttons: Buttons<T>) =>
    vscode.window.showErrorMessage(withoutLinks(text), ...buttons),
};

/** Whoever wrote it, it is words and nothing else. */
function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}
