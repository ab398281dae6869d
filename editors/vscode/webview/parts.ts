/** The parts of an entry, each drawn by its kind. */

import { html, nothing, type TemplateResult } from "lit";
import type { Chip, CodePart, LinkPart, MeterPart, Part, TableCell, TablePart } from "../src/protocol.gen.js";
import { type Drawn, icon } from "./element.js";
import { coloured } from "./markdown.js";
import { perform } from "./port.js";
import { timelineView } from "./timeline.js";
import "./markdown_text.js";

/** With its title above it, folded if it says so; `extra` stands below it. Diffs are drawn by their own element. */
export function partView(part: Exclude<Part, { kind: "diff" }>, extra: Drawn = nothing): TemplateResult {
  const rest = part.truncated ? html`<p class="muted">Only the beginning is shown here.</p>` : nothing;
  const body = html`${partBody(part)}${rest}${extra}`;
  if (part.folded) {
    return html`<details class="part ${part.kind}-part"><summary>${part.title ?? "Details"}</summary>${body}</details>`;
  }
  const title = part.title === undefined ? nothing : html`<h4>${part.title}</h4>`;
  return html`<div class="part ${part.kind}-part">${title}${body}</div>`;
}

function partBody(part: Exclude<Part, { kind: "diff" }>): TemplateResult {
  switch (part.kind) {
    case "markdown":
      return html`<q-markdown .text=${part.text}></q-markdown>`;
    case "plain":
      return html`<div class="plain">${part.text}</div>`;
    case "code":
      return codeView(part);
    case "table":
      return tableView(part);
    case "link":
      return linkView(part);
    case "meter":
      return meterView(part);
    case "timeline":
      return timelineView(part);
    case "chips":
      return html`<span class="chips">${part.data.chips.map(chipView)}</span>`;
    default:
      // Of a kind that a newer server knows: its text says what there is to say.
      return html`<div class="plain">${(part as { text?: string }).text ?? ""}</div>`;
  }
}

function codeView({ text, data }: CodePart): TemplateResult {
  if (data.language === "diff") {
    return html`<pre class="lines" tabindex="0">${text.split("\n").map((line) => diffLine(line))}</pre>`;
  }
  return html`<pre tabindex="0"><code .innerHTML=${coloured(text, data.language)}></code></pre>`;
}

export function diffLine(line: string): TemplateResult {
  const sign = { "+": "added", "-": "removed" }[line.charAt(0)] ?? "";
  return html`<span class=${sign}>${line}\n</span>`;
}

function tableView({ data: { columns, rows } }: TablePart): TemplateResult {
  const right = (index: number) => (columns[index]?.align === "right" ? "right" : "");
  const head = columns.every(({ label }) => label === "")
    ? nothing
    : html`<thead><tr>${columns.map(({ label }, index) => html`<th class=${right(index)}>${label}</th>`)}</tr></thead>`;
  return html`<table>${head}<tbody>
    ${rows.map(
      (row) => html`<tr class=${row.void ? "void" : ""}>
        ${row.cells.map((cell, index) => html`<td class=${right(index)} title=${cell.hint ?? nothing}>${cellView(cell, row.void)}</td>`)}
      </tr>`,
    )}
  </tbody></table>`;
}

function cellView({ text, tone }: TableCell, struck: boolean | undefined): TemplateResult {
  const drawn =
    tone === undefined ? html`${text}` : html`<span class="tone ${tone}">${toneIcon(tone)}&nbsp;${text}</span>`;
  return struck ? html`<s>${drawn}</s>` : drawn;
}

function linkView({ text, data: { uri, range } }: LinkPart): TemplateResult {
  const open = () => perform({ do: "openUri", uri, ...(range === undefined ? {} : { range }) });
  return html`<button class="chip" title="Open ${text}" @click=${open}>${icon("file")} ${text}</button>`;
}

function meterView({ text, data: { used, of } }: MeterPart): TemplateResult {
  return html`<label class="meter">${text} <progress max=${of} value=${used}></progress></label>`;
}

export function chipView({ label, tone, hint }: Chip): TemplateResult {
  return html`<span class="badge ${tone ?? ""}" title=${hint ?? nothing}>${label}</span>`;
}

const TONE_ICONS = {
  ok: "pass",
  bad: "error",
  warn: "warning",
  busy: "loading codicon-modifier-spin",
  idle: "circle-outline",
  accent: "circle-filled",
} as const;

function toneIcon(tone: keyof typeof TONE_ICONS): TemplateResult {
  return icon(TONE_ICONS[tone]);
}
