/** A fault that the user caused or can cure is shown as the sentence that it is. */

import * as vscode from "vscode";

export async function sayFaults(deed: () => Promise<unknown> | unknown): Promise<void> {
  try {
    await deed();
  } catch (fault) {
    void vscode.window.showErrorMessage(`Quorate: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}
