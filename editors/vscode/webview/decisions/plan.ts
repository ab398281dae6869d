/** A plan before it is carried out: to read, to edit, to add instructions to. */

import { html, nothing, type TemplateResult } from "lit";
import type { Plan, PlanDecision, PlanTask } from "../../src/protocol.gen.js";
import { Part } from "../element.js";
import { ask } from "../port.js";

export class PlanPreview extends Part {
  static override properties = { decision: { attribute: false }, editing: { state: true } };
  declare decision: PlanDecision;
  declare editing: boolean;

  constructor() {
    super();
    this.editing = false;
  }

  protected override render(): TemplateResult {
    const { plan } = this.decision.detail;
    const [approve, cancel] = ["approve", "cancel"].map(
      (id) => this.decision.choices.find((each) => each.id === id)?.label,
    );
    return html`
      <h4>${plan.title}</h4>
      <ol class="plan">${plan.tasks.map((task, index) => (this.editing ? editedTask(task, index) : shownTask(task)))}</ol>
      <textarea name="instructions" rows="2" aria-label="Instructions for the execution" placeholder="Add instructions (optional)"></textarea>
      <div class="buttons">
        <vscode-button icon="check" @click=${() => this.#settle("approve")}>${approve ?? "Approve"}</vscode-button>
        <vscode-button secondary icon="edit" @click=${this.#toggle}>${this.editing ? "Discard edits" : "Edit"}</vscode-button>
        <vscode-button secondary icon="close" @click=${() => this.#settle("cancel")}>${cancel ?? "Cancel"}</vscode-button>
      </div>
      ${this.faultLine()}`;
  }

  #toggle = (): void => {
    this.editing = !this.editing;
  };

  #settle(choice: "approve" | "cancel"): void {
    const { decisionId } = this.decision;
    const instructions = this.#field("instructions") || null;
    const edits = this.editing && choice === "approve" ? { plan: this.#edited() } : null;
    void this.attempt(() => ask("quorate.approve", { decisionId, choice, edits, instructions }));
  }

  #edited(): Plan {
    const { plan } = this.decision.detail;
    const tasks = plan.tasks.map((task, index) => ({
      ...task,
      title: this.#field(`title ${index}`),
      detail: this.#field(`detail ${index}`),
    }));
    return { ...plan, tasks: tasks.filter(({ title }) => title !== "") };
  }

  #field(name: string): string {
    return this.querySelector<HTMLInputElement | HTMLTextAreaElement>(`[name="${name}"]`)?.value.trim() ?? "";
  }
}

function shownTask(task: PlanTask): TemplateResult {
  return html`<li>
    <strong>${task.title}</strong>
    ${task.phase === undefined ? nothing : html`<span class="badge">${task.phase}</span>`}
    <q-markdown .text=${task.detail}></q-markdown>
    ${(task.files ?? []).map((file) => html`<code class="chip">${file}</code>`)}
  </li>`;
}

function editedTask(task: PlanTask, index: number): TemplateResult {
  return html`<li>
    <input name="title ${index}" aria-label="Task ${index + 1}; empty it to drop the task" .value=${task.title} />
    <textarea name="detail ${index}" rows="2" aria-label="Detail of task ${index + 1}" .value=${task.detail}></textarea>
  </li>`;
}

customElements.define("q-plan", PlanPreview);
