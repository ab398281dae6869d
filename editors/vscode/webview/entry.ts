/** One entry of a transcript: its frame by its kind, its parts, its actions. Drawn anew only when it has changed itself. */

import { html, nothing, type TemplateResult } from "lit";
import { chosenFiles, diffsOf, withValue } from "../src/changes/choice.js";
import type { Action, Entry, InputField, Part } from "../src/protocol.gen.js";
import "./diff.js";
import { type Drawn, icon, View } from "./element.js";
import type { InputForm } from "./form.js";
import "./form.js";
import { partView } from "./parts.js";
import { perform, send } from "./port.js";

const KIND_ICONS: Partial<Record<Entry["kind"], string>> = {
  reasoning: "lightbulb",
  run: "organization",
  decision: "bell",
  changes: "diff-multiple",
  findings: "search",
  analysis: "graph",
  plan: "checklist",
  tasks: "tasklist",
  compaction: "fold",
};
const STATE_ICONS: Partial<Record<NonNullable<Entry["state"]>, string>> = {
  running: "loading codicon-modifier-spin",
  streaming: "loading codicon-modifier-spin",
  queued: "clock",
  steered: "comment",
  done: "check",
  failed: "error",
  cancelled: "circle-slash",
  info: "info",
  warning: "warning",
  error: "error",
};

export class EntryView extends View {
  static override properties = {
    entry: { attribute: false },
    refused: { attribute: false },
    within: { attribute: false },
    asking: { state: true },
  };
  declare entry: Entry;
  declare refused: readonly string[] | undefined;
  /** The run whose page this is on, if it is on one. */
  declare within: string | undefined;
  /** The command of the action whose form is open, and its place among the actions. */
  declare asking: string | undefined;

  constructor() {
    super();
    this.asking = undefined;
    this.addEventListener("keydown", (event) => this.#keydown(event));
  }

  protected override render(): TemplateResult {
    const { kind, title, state, parts } = this.entry;
    switch (kind) {
      case "message":
        return html`<div class="user-message ${state ?? ""}" role="article" aria-label=${title ?? "You"}>
          ${this.#parts(parts)} ${state === "sent" ? nothing : this.#stateIcon()}
          ${state === "queued" ? this.#actions() : nothing}
        </div>`;
      case "answer":
        return html`<div role="article" aria-label=${title ?? "Teamwright"} aria-busy=${state === "streaming"}>
          ${title === undefined ? nothing : html`<p class="result-by">${title}</p>`}
          ${this.#parts(parts)} ${this.#actions()}
        </div>`;
      case "reasoning":
      case "activity":
        return this.#folded();
      case "notice":
      case "error":
        return html`<div class="notice ${kind === "error" ? kind : (state ?? "info")}" role=${kind === "error" ? "alert" : "status"}>
          ${this.#stateIcon()} ${title ?? ""} ${this.#parts(parts)} ${this.#actions()}
        </div>`;
      case "decision":
        return state === "waiting" ? this.#card() : this.#decided();
      default:
        return this.#card();
    }
  }

  /** The first of its buttons gets the keyboard. */
  focusAction(): void {
    this.scrollIntoView({ block: "nearest" });
    this.querySelector<HTMLElement>(".columns .part-actions button, .buttons vscode-button")?.focus();
  }

  #folded(): TemplateResult {
    const { kind, title, state, parts } = this.entry;
    const line = html`${this.#stateIcon()} ${title ?? ""}`;
    if (parts.length === 0) return html`<p class=${kind}>${line}</p>`;
    // Who opens it wants to see what is in it.
    const open = parts.map((part) => ({ ...part, folded: false }));
    return html`<details class=${kind} ?data-live=${state === "streaming" || state === "running"}>
      <summary>${line}</summary>${this.#parts(open)} ${this.#actions()}
    </details>`;
  }

  /** What was decided, on one line; what it was about, behind it. */
  #decided(): TemplateResult {
    const { title, parts, state } = this.entry;
    const [how, ...about] = parts;
    const said = how !== undefined && "text" in how ? how.text : "";
    return html`<details class="decided ${state ?? ""}">
      <summary>${this.#stateIcon()} <span>${title ?? ""} ${icon("arrow-right")} <strong>${said}</strong></span></summary>
      ${this.#parts(about.map((part) => ({ ...part, folded: false })))}
    </details>`;
  }

  #card(): TemplateResult {
    const { kind, title, state, parts, expiresAt } = this.entry;
    return html`<section class="card ${kind} ${state ?? ""}" role="group" aria-label=${title ?? nothing}>
      <header>${icon(KIND_ICONS[kind] ?? "note")} <span class="task" title=${title ?? ""}>${title ?? ""}</span>
        ${expiresAt === undefined ? nothing : html`<q-countdown .until=${expiresAt}></q-countdown>`}</header>
      ${this.#columns() ?? this.#parts(parts)} ${this.#actions()}
    </section>`;
  }

  #stateIcon(): Drawn {
    const { kind, state } = this.entry;
    const settled = state === undefined || (kind === "reasoning" && state === "done");
    const name = settled ? KIND_ICONS[kind] : STATE_ICONS[state];
    return name === undefined ? nothing : icon(name);
  }

  /** Things of several agents to choose between stand side by side, each with its own button. */
  #columns(): Drawn | undefined {
    const { kind, parts, actions } = this.entry;
    if (kind !== "decision") return undefined;
    const choosable = new Set(actions.map(({ part }) => part));
    const groups = Map.groupBy(parts, ({ agentId }) => agentId);
    const own = [...groups].filter(
      ([agentId, of]) => agentId !== undefined && of.some(({ part }) => choosable.has(part)),
    );
    if (own.length < 2) return undefined;
    return html`${this.#parts(groups.get(undefined) ?? [])}
      <div class="columns">
        ${own.map(([agentId, of]) => html`<article class="column" aria-label=${agentId ?? ""}>${this.#parts(of)}</article>`)}
      </div>`;
  }

  #parts(parts: readonly Part[]): TemplateResult {
    return html`${parts.map((part) => {
      const own = this.entry.actions.filter((action) => action.part === part.part);
      const extra =
        own.length === 0 ? nothing : html`<span class="part-actions">${own.map((action) => this.#link(action))}</span>`;
      if (part.kind !== "diff") return partView(part, extra);
      const choosable = this.entry.actions.some(asksForHunks);
      return html`<q-diff .file=${part} .entryId=${this.entry.entryId} .refused=${choosable ? (this.refused ?? []) : null} .extra=${extra}></q-diff>`;
    })}`;
  }

  #actions(): Drawn {
    const whole = this.entry.actions.filter(({ part, command }) => part === undefined && !this.#isHere(command));
    const byRank = whole.toSorted((a, b) => Number(b.primary ?? false) - Number(a.primary ?? false));
    const uris = diffsOf(this.entry).map(({ uri }) => uri);
    const { runId } = this.entry;
    if (whole.length === 0 && this.fault === "") return nothing;
    const asking = whole.find((action) => this.asking === this.#name(action));
    if (asking !== undefined) return html`${this.#form(asking)} ${this.faultLine()}`;
    const openAll = () => perform({ do: "openChanges", runId: runId ?? "", uris });
    return html`<div class="buttons">
        ${byRank.map((action) => this.#button(action))}
        ${uris.length > 1 && runId !== undefined ? html`<vscode-button secondary @click=${openAll}>Open all diffs</vscode-button>` : nothing}
      </div>
      ${whole.filter((action) => this.#isOneLine(action)).map((action) => this.#line(action))} ${this.faultLine()}`;
  }

  #isHere(command: string): boolean {
    return command === "teamwright.run.open" && this.within === this.entry.runId;
  }

  /** A single thing to say stands open beside its button. */
  #line(action: Action): TemplateResult {
    return html`<div class="asked">${this.#fields(action)}
      <vscode-button ?secondary=${!action.primary} @click=${() => this.#act(action)}>${action.label}</vscode-button>
    </div>`;
  }

  /** A whole form takes the place of the buttons; what sends it says what it does. */
  #form(action: Action): TemplateResult {
    const sends = this.entry.actions.find(({ command, primary }) => primary && command === action.command) ?? action;
    return html`${this.#fields(action)}
      <div class="buttons">
        <vscode-button @click=${() => this.#act(action)}>${sends.label}</vscode-button>
        <vscode-button secondary @click=${() => this.#ask(undefined)}>Discard edits</vscode-button>
      </div>`;
  }

  #fields(action: Action): TemplateResult {
    return html`<q-form name=${this.#name(action)} .fields=${fieldsOf(action)} @entered=${() => this.#act(action)}></q-form>`;
  }

  #button(action: Action): Drawn {
    const fields = fieldsOf(action);
    if (this.#isOneLine(action)) return nothing;
    if (fields.length > 0)
      return html`<vscode-button secondary @click=${() => this.#ask(action)}>${action.label}…</vscode-button>`;
    const none = asksForHunks(action) && chosenFiles(diffsOf(this.entry), this.refused ?? [])?.length === 0;
    return html`<vscode-button ?secondary=${!action.primary} ?disabled=${none} @click=${() => this.#act(action)}>${action.label}</vscode-button>`;
  }

  /** A single thing to say to what is under way, rather than a form. */
  #isOneLine(action: Action): boolean {
    const { state } = this.entry;
    const fields = fieldsOf(action);
    const isOver = this.entry.kind === "run" && (state === "done" || state === "failed" || state === "cancelled");
    return fields.length === 1 && fields[0]?.kind === "text" && !isOver;
  }

  #ask(action: Action | undefined): void {
    this.asking = action === undefined ? undefined : this.#name(action);
  }

  #link(action: Action): TemplateResult {
    const act = (event: Event) => {
      event.preventDefault();
      this.#act(action);
    };
    return html`<button class=${action.primary ? "primary" : "link"} @click=${act}>
      ${action.key === undefined ? nothing : html`<kbd>${action.key}</kbd>`} ${action.label}
    </button>`;
  }

  #keydown(event: KeyboardEvent): void {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = this.entry.actions.find(({ key }) => key === event.key);
    if (action === undefined) return;
    event.preventDefault();
    if (fieldsOf(action).length === 0) this.#act(action);
    else if (!this.#isOneLine(action)) this.#ask(action);
    else this.querySelector<HTMLElement>(`q-form[name="${this.#name(action)}"] textarea`)?.focus();
  }

  #act(action: Action): void {
    const { runId, uri } = action.arguments as { runId?: string; uri?: string };
    // These are for a client to show or keep; everything else is the server's to do.
    if (action.command === "teamwright.run.open" && runId !== undefined) perform({ do: "openRun", runId });
    else if (action.command === "teamwright.run.report" && runId !== undefined) perform({ do: "saveReport", runId });
    else if (action.command === "teamwright.changes.open" && runId !== undefined && uri !== undefined)
      perform({ do: "openChanges", runId, uris: [uri] });
    else void this.attempt(() => send(action.command, this.#filled(action)));
  }

  #name(action: Action): string {
    return `${action.command} ${this.entry.actions.indexOf(action)}`;
  }

  #filled(action: Action): Record<string, unknown> {
    const form = this.querySelector<InputForm>(`q-form[name="${this.#name(action)}"]`);
    const hunks = (action.input ?? [])
      .filter(({ kind }) => kind === "hunks")
      .map(({ path }) => ({ path, value: chosenFiles(diffsOf(this.entry), this.refused ?? []) }));
    return [...(form?.answers() ?? []), ...hunks].reduce(
      (params, { path, value }) => withValue(params, path, value),
      action.arguments,
    );
  }
}

/** What has to be asked for in a form; which hunks are wanted is ticked at the diffs themselves. */
function fieldsOf({ input = [] }: Action): InputField[] {
  return input.filter(({ kind }) => kind !== "hunks");
}

function asksForHunks({ input = [] }: Action): boolean {
  return input.some(({ kind }) => kind === "hunks");
}

customElements.define("q-entry", EntryView);
