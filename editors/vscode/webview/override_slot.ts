/** The override picker of a session, whichever page it is on. */

import { html, type TemplateResult } from "lit";
import type { Session } from "../src/model/state.js";
import "./override.js";

export function overridePicker(session: Session): TemplateResult {
  const open = Object.values(session.decisions).find(
    ({ decision, resolution }) => decision.kind === "override" && resolution === undefined,
  );
  const view = open?.runId === undefined ? undefined : session.runs[open.runId]?.view;
  return html`<q-override .placed=${open} .view=${view}></q-override>`;
}
