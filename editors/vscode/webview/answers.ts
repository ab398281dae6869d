/** An agent's answers, each with what changed since the one before. */

import { diffLines } from "diff";
import { html, nothing, type TemplateResult } from "lit";
import type { Run } from "../src/model/state.js";
import { perform } from "./port.js";

export function answersOf(run: Run, agentId: string): TemplateResult {
  const answers = run.answers.filter((answer) => answer.agentId === agentId);
  return html`${answers.map((answer, index) => {
    const before = answers[index - 1];
    return html`<section class="answer" aria-label="Answer ${answer.label}">
      <h4>${answer.label}</h4>
      <q-markdown .text=${answer.content}></q-markdown>
      ${before === undefined ? nothing : revision(before.content, answer.content, `${before.label} → ${answer.label}`)}
    </section>`;
  })}`;
}

function revision(before: string, after: string, title: string): TemplateResult {
  const compare = () => perform({ do: "compare", left: before, right: after, title });
  return html`<details class="revision">
    <summary>What changed</summary>
    <pre>${diffLines(before, after).map(({ value, added, removed }) => html`<span class=${added ? "added" : removed ? "removed" : ""}>${value}</span>`)}</pre>
    <button class="link" @click=${compare}>Open as diff</button>
  </details>`;
}
