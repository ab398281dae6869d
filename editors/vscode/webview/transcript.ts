/** The lines of a session, from the first to the latest. */

import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Entry, PlacedItem, Session, State, Turn } from "../src/model/state.js";
import type { Attachment, ToolCall } from "../src/protocol.gen.js";
import { icon } from "./element.js";
import { perform } from "./port.js";

export function transcript(session: Session, refused: State["refused"]): TemplateResult {
  const earlier = session.fromSeq > 0;
  return html`
    ${earlier ? html`<button class="link" @click=${() => perform({ do: "loadEarlier" })}>Show earlier messages</button>` : nothing}
    ${repeat(
      session.entries,
      ({ kind, id }) => `${kind} ${id}`,
      (entry) => entryLine(session, entry, refused),
    )}
  `;
}

function entryLine(session: Session, entry: Entry, refused: State["refused"]): TemplateResult | typeof nothing {
  switch (entry.kind) {
    case "item":
      return html`<q-item class="entry" .placed=${session.items[entry.at]}></q-item>`;
    case "run":
      return html`<q-run class="entry" .run=${session.runs[entry.id]} .items=${itemsOf(session, entry.id)}
        .findings=${session.findings}></q-run>`;
    case "decision":
      return html`<q-decision class="entry" .placed=${session.decisions[entry.id]} .refused=${refused[entry.id]}></q-decision>`;
    case "turn":
      return turnEnding(session.turns[entry.id]);
    case "notice":
      return html`<p class="entry notice ${entry.notice.level}" role="status">
        ${icon(entry.notice.level)} ${entry.notice.text}
        ${entry.notice.hint === undefined ? nothing : html`<span class="muted">${entry.notice.hint}</span>`}
      </p>`;
  }
}

/** Kept while none of them changes, so that a card is drawn anew only when it has something new to show. */
const drawn = new Map<string, PlacedItem[]>();

export function itemsOf(session: Session, runId: string): PlacedItem[] {
  const positions = session.runs[runId]?.items ?? [];
  const items = positions.map((at) => session.items[at]).filter((each) => each !== undefined);
  const before = drawn.get(runId);
  if (before?.length === items.length && before.every((each, index) => each === items[index])) return before;
  drawn.set(runId, items);
  return items;
}

function turnEnding(turn: Turn | undefined): TemplateResult | typeof nothing {
  const ending = turn?.ending;
  if (ending === undefined) return nothing;
  if (ending.outcome === "cancelled") return html`<p class="entry notice info">${icon("circle-slash")} Cancelled</p>`;
  return html`<p class="entry notice error" role="alert">${icon("error")} ${ending.error ?? "This turn failed."}</p>`;
}

export function itemBody({ item, finished }: PlacedItem): TemplateResult | typeof nothing {
  if (item.discarded) return nothing;
  switch (item.kind) {
    case "user_message":
      return html`<div class="user-message" role="article" aria-label="You">
        ${item.attachments.map(attachmentChip)}
        <div class="plain">${item.text}</div>
      </div>`;
    case "assistant_message":
    case "presentation":
      return html`<div role="article" aria-label="Quorate" aria-busy=${!finished}><q-markdown .text=${item.text}></q-markdown></div>`;
    case "reasoning":
      return html`<details class="reasoning" ?data-live=${!finished}>
        <summary>${icon("lightbulb")} ${finished ? "Thought about it" : "Thinking…"}</summary>
        <q-markdown .text=${item.text}></q-markdown>
      </details>`;
    case "tool_call":
      return toolLine(item);
  }
}

const TOOL_ICONS = {
  running: "loading codicon-modifier-spin",
  succeeded: "check",
  failed: "error",
  cancelled: "circle-slash",
};

function toolLine(call: ToolCall): TemplateResult {
  return html`<details class="tool-call">
    <summary>${icon(TOOL_ICONS[call.status])} <code>${call.name}</code> <span class="muted">${briefly(call)}</span></summary>
    <pre>${JSON.stringify(call.arguments, null, 2)}</pre>
    ${call.result === undefined ? nothing : html`<pre>${call.result}</pre>`}
    ${call.error === undefined ? nothing : html`<p class="fault">${call.error}</p>`}
  </details>`;
}

function briefly(call: ToolCall): string {
  const first = Object.values(call.arguments).find((value) => typeof value === "string");
  return typeof first === "string" ? first : "";
}

export function attachmentChip(attachment: Attachment): TemplateResult {
  const name = decodeURIComponent(attachment.uri.split("/").at(-1) ?? attachment.uri);
  const { range } = attachment;
  const lines = range === undefined ? "" : `:${range.start.line + 1}-${range.end.line + 1}`;
  const open = () => perform({ do: "openUri", uri: attachment.uri, ...(range === undefined ? {} : { range }) });
  return html`<button class="chip" title="Open ${name}" @click=${open}>${icon("file")} ${name}${lines}</button>`;
}
