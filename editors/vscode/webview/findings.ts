/** What a review found, most agreed first, as the server orders it. */

import { html, nothing, type TemplateResult } from "lit";
import type { AgreedFinding } from "../src/protocol.gen.js";
import { icon } from "./element.js";
import { perform } from "./port.js";
import { fileName } from "./run_parts.js";

const ICONS = { error: "error", warning: "warning", info: "info", hint: "lightbulb" } as const;

export function findingsList(findings: readonly AgreedFinding[]): TemplateResult | typeof nothing {
  const shown = findings.filter(({ dismissed }) => !dismissed);
  if (shown.length === 0) return nothing;
  return html`<ul class="findings" aria-label="Findings">${shown.map(findingLine)}</ul>`;
}

function findingLine({ uri, range, severity, title, detail, agents, of }: AgreedFinding): TemplateResult {
  const open = () => perform({ do: "openUri", uri, range });
  return html`<li class="notice ${severity}">
    ${icon(ICONS[severity])} <button class="link" title=${detail} @click=${open}>${title}</button>
    <span class="muted">${fileName(uri)}:${range.start.line + 1} (${agents.length} of ${of} agents)</span>
  </li>`;
}
