/** Decisions as notifications, with their buttons, when the panel that would show them is hidden. */

import * as vscode from "vscode";
import type { PlacedDecision, State } from "../model/state.js";
import type { Store } from "../model/store.js";
import type { Decision } from "../protocol.gen.js";
import type { Server } from "../server/server.js";
import { sayFaults } from "./faults.js";

export interface NotificationsOptions {
  server: Server;
  store: Store;
  panelVisible: () => boolean;
  show: (placed: PlacedDecision) => Promise<void>;
}

const OPEN = "Open";

export function notifications(options: NotificationsOptions): vscode.Disposable {
  const told = new Set<string>();
  return options.store.subscribe((state: State) => {
    for (const [id, placed] of Object.entries(state.waiting)) {
      if (told.has(id)) continue;
      told.add(id);
      if (wanted(options, state, placed)) void sayFaults(() => tell(options, placed));
    }
  });
}

function wanted(options: NotificationsOptions, state: State, placed: PlacedDecision): boolean {
  const setting = vscode.workspace.getConfiguration("quorate").get<string>("notifications", "whenHidden");
  if (setting === "never") return false;
  const shownAnyway = options.panelVisible() && state.current?.sessionId === placed.sessionId;
  return setting === "always" || !shownAnyway;
}

async function tell({ server, store, show }: NotificationsOptions, placed: PlacedDecision): Promise<void> {
  const { decision } = placed;
  const buttons = buttonsOf(decision);
  const picked = await vscode.window.showInformationMessage(
    `Quorate: ${decision.title}`,
    ...buttons.map(({ label }) => label),
    OPEN,
  );
  // Closing it decides nothing: the decision stays open in the panel.
  if (picked === undefined || store.state.waiting[decision.decisionId] === undefined) return;
  const button = buttons.find(({ label }) => label === picked);
  if (button === undefined) await show(placed);
  else if (decision.kind === "input") {
    await server.request("quorate.respond", { decisionId: decision.decisionId, text: button.label });
  } else {
    const choice = button.id === "cancel" ? "cancel" : "approve";
    await server.request("quorate.approve", { decisionId: decision.decisionId, choice });
  }
}

/** A question has its own answers; an override has to be seen to be decided. */
function buttonsOf(decision: Decision): { id: string; label: string }[] {
  if (decision.kind === "input") return decision.detail.choices.map((label) => ({ id: label, label }));
  if (decision.kind === "override") return [];
  return decision.choices.filter(({ id }) => id === "approve" || id === "cancel");
}
