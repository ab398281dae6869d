/** Commands by their short names; `quorate.ui.` is put before them, since the server's own are `quorate.…`. */

import * as vscode from "vscode";
import { sayFaults } from "../views/faults.js";

export type CommandTable = Record<string, (...args: unknown[]) => Promise<unknown> | unknown>;

export function registerCommands(...tables: CommandTable[]): vscode.Disposable {
  const commands = tables.flatMap((table) => Object.entries(table));
  return vscode.Disposable.from(
    ...commands.map(([name, run]) =>
      vscode.commands.registerCommand(`quorate.ui.${name}`, (...args: unknown[]) => sayFaults(() => run(...args))),
    ),
  );
}
