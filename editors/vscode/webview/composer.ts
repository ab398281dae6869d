/** Where the user writes: drafts are kept, files attached, and input is taken while work is under way. */

import { html, nothing, type TemplateResult } from "lit";
import type { Attachment, Entry, Modes, ModesInput } from "../src/protocol.gen.js";
import { currentSession, type State } from "../src/state.js";
import { icon, iconButton, View } from "./element.js";
import { modeBar } from "./mode_bar.js";
import { ask, perform } from "./port.js";
import { slashCommand } from "./slash.js";
import type { Completion, Suggestions } from "./suggestions.js";
import "./suggestions.js";

const NEW_SESSION = "new";
const DEFAULT_MODES: Modes = {
  plan: null,
  agentMode: null,
  agentId: null,
  refinement: null,
  autonomy: "hitl",
  team: "auto",
};

export class Composer extends View {
  static override properties = {
    state: { attribute: false },
    entries: { attribute: false },
    attachments: { state: true },
    note: { state: true },
    chosen: { state: true },
  };
  declare state: State;
  declare entries: readonly Entry[];
  declare attachments: Attachment[];
  declare note: string;
  /** The modes of a session that does not exist yet. */
  declare chosen: ModesInput;
  /** What was written and not sent, by session. */
  drafts: Record<string, string> = {};
  #shownFor: string | undefined;
  #sending = false;

  constructor() {
    super();
    this.attachments = [];
    this.note = "";
    this.chosen = {};
  }

  attach(attachments: Attachment[], text = ""): void {
    const field = this.#field();
    if (field !== null && text !== "") this.#write(field, [field.value, text].filter(Boolean).join("\n"));
    const known = new Set(this.attachments.map((each) => JSON.stringify(each)));
    this.attachments = [...this.attachments, ...attachments.filter((each) => !known.has(JSON.stringify(each)))];
  }

  restore(drafts: Record<string, string>): void {
    this.drafts = { ...drafts, ...this.drafts };
    // What is on its way is still a draft, but no longer in the field.
    if (this.#field()?.value === "" && !this.#sending) this.#shownFor = undefined;
    this.requestUpdate();
  }

  compose(): void {
    this.#field()?.focus();
  }

  togglePlan(): void {
    if (!this.#busy) void this.attempt(() => this.setModes({ plan: this.#modes.plan === true ? null : true }));
  }

  async setModes(change: ModesInput): Promise<void> {
    const { sessionId } = this.state;
    if (sessionId === null) this.chosen = { ...this.chosen, ...change };
    else await ask("teamwright.modes", { ...change, sessionId });
  }

  protected override updated(): void {
    const key = this.#draftKey;
    const field = this.#field();
    if (field === null || this.#shownFor === key) return;
    this.#shownFor = key;
    field.value = this.drafts[key] ?? "";
    this.#grow(field);
  }

  protected override render(): TemplateResult {
    const busy = this.#busy;
    const ready = this.state.server.state === "ready";
    const placeholder = busy
      ? "Enter queues, Ctrl+Enter tells the agents at work"
      : "Ask, or give the team a task. / for commands, @ for files";
    return html`<div class="composer">
      ${this.note === "" ? nothing : this.#noteCard()} ${this.faultLine()}
      <q-suggestions @accepted=${this.#accepted}></q-suggestions>
      <div class="input-box">
        ${this.attachments.length === 0 ? nothing : html`<div class="attachments">${this.attachments.map((each) => this.#removable(each))}</div>`}
        <textarea rows="1" aria-label="Message" placeholder=${placeholder} @input=${this.#input} @keydown=${this.#keydown}></textarea>
        <div class="input-actions">
          ${this.#attachButton("selection", "list-selection", "Attach the selection")}
          ${this.#attachButton("file", "file", "Attach the file")}
          ${this.#attachButton("problems", "warning", "Attach the file's problems")}
          <span class="grow"></span>
          ${busy ? iconButton("debug-stop", "Stop", this.#stop) : nothing}
          <button class="icon-button send" title=${busy ? "Queue (Enter)" : "Send (Enter)"} aria-label=${busy ? "Queue" : "Send"}
            ?disabled=${!ready} @click=${() => this.#send("queue")}>${icon("send")}</button>
        </div>
      </div>
      ${modeBar({
        modes: this.#modes,
        agents: this.state.status?.agents ?? [],
        locked: busy,
        change: (change) => void this.attempt(() => this.setModes(change)),
      })}
    </div>`;
  }

  get #busy(): boolean {
    return currentSession(this.state)?.busy ?? false;
  }

  get #modes(): Modes {
    return currentSession(this.state)?.modes ?? { ...DEFAULT_MODES, ...this.state.status?.modes, ...this.chosen };
  }

  get #draftKey(): string {
    return this.state.sessionId ?? NEW_SESSION;
  }

  #field(): HTMLTextAreaElement | null {
    return this.querySelector<HTMLTextAreaElement>(".input-box textarea");
  }

  #suggestions(): Suggestions | null {
    return this.querySelector<Suggestions>("q-suggestions");
  }

  #attachButton(what: "selection" | "file" | "problems", name: string, label: string): TemplateResult {
    return iconButton(name, label, () => perform({ do: "attach", what }));
  }

  #removable(attachment: Attachment): TemplateResult {
    const remove = () => {
      this.attachments = this.attachments.filter((each) => each !== attachment);
    };
    return html`<span class="removable">${attachmentChip(attachment)}
      ${iconButton("close", "Remove the attachment", remove)}</span>`;
  }

  #noteCard(): TemplateResult {
    const close = () => {
      this.note = "";
    };
    return html`<div class="card note" role="status"><q-markdown .text=${this.note}></q-markdown>
      ${iconButton("close", "Close", close)}</div>`;
  }

  #input = (event: Event): void => {
    const field = event.target as HTMLTextAreaElement;
    this.#grow(field);
    this.#keepDraft(field.value);
    const before = field.value.slice(0, field.selectionStart);
    const stillSo = () => field.value.slice(0, field.selectionStart) === before;
    void this.#suggestions()?.suggest(before, stillSo);
  };

  #keydown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Tab" && event.shiftKey) {
      event.preventDefault();
      this.togglePlan();
    } else if (this.#suggestions()?.takes(event)) event.preventDefault();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void this.#send(event.ctrlKey || event.metaKey ? "steer" : "queue");
    }
  };

  #accepted = ({ detail: { text, replaced, uri } }: CustomEvent<Completion>): void => {
    const field = this.#field();
    if (field === null) return;
    const end = field.selectionStart;
    field.setRangeText(text, end - replaced, end, "end");
    this.#keepDraft(field.value);
    field.focus();
    if (uri !== undefined) this.attach([{ uri }]);
  };

  async #send(whenBusy: "queue" | "steer"): Promise<void> {
    const field = this.#field();
    const text = field?.value.trim() ?? "";
    if (field === null || text === "") return;
    this.#suggestions()?.close();
    this.note = "";
    // The field is free at once for the next thought; what is refused comes back into it. The draft is kept until the
    // message is taken, so that nothing is lost if this page goes away before.
    field.value = "";
    this.#grow(field);
    const key = this.#draftKey;
    this.#sending = true;
    await this.attempt(async () => {
      try {
        const began = await this.#take(field, text, whenBusy);
        this.#keepDraft(began ? "" : field.value, key);
      } catch (fault) {
        this.#write(field, [text, field.value].filter(Boolean).join("\n"));
        throw fault;
      } finally {
        this.#sending = false;
      }
    });
  }

  /** Whether a session began with it. */
  async #take(field: HTMLTextAreaElement, text: string, whenBusy: "queue" | "steer"): Promise<boolean> {
    const slash = slashCommand(text);
    if (slash === undefined) return this.#chat(field, text, whenBusy);
    this.note = (await slash.command.run(slash.rest, this.#surroundings())) ?? "";
    return false;
  }

  async #chat(field: HTMLTextAreaElement, text: string, whenBusy: "queue" | "steer"): Promise<boolean> {
    const { sessionId: current } = this.state;
    const attachments = this.attachments;
    const session = current === null ? { modes: this.chosen } : { sessionId: current };
    const { sessionId } = await ask("teamwright.chat", { text, attachments, whenBusy, ...session });
    this.#detach(attachments);
    if (current !== null) return false;
    this.chosen = {};
    // What was written meanwhile goes along into the session that has just begun.
    this.#keepDraft(field.value, sessionId);
    return true;
  }

  #write(field: HTMLTextAreaElement, text: string): void {
    field.value = text;
    this.#keepDraft(text);
    this.#grow(field);
  }

  #surroundings() {
    const setModes = (change: ModesInput) => this.setModes(change);
    const detach = (sent: readonly Attachment[]) => this.#detach(sent);
    return { sessionId: this.state.sessionId, entries: this.entries, attachments: this.attachments, setModes, detach };
  }

  #detach(sent: readonly Attachment[]): void {
    this.attachments = this.attachments.filter((each) => !sent.includes(each));
  }

  #stop = (): void => {
    const stop = slashCommand("/cancel");
    if (stop !== undefined) void this.attempt(() => stop.command.run("", this.#surroundings()));
  };

  #keepDraft(text: string, key = this.#draftKey): void {
    this.drafts = { ...this.drafts, [key]: text };
    perform({ do: "keepDraft", key, text });
  }

  #grow(field: HTMLTextAreaElement): void {
    field.style.height = "auto";
    field.style.height = `${Math.min(field.scrollHeight, 240)}px`;
  }
}

function attachmentChip({ uri, range }: Attachment): TemplateResult {
  const name = decodeURIComponent(uri.split("/").at(-1) ?? uri);
  const lines = range === undefined ? "" : `:${range.start.line + 1}-${range.end.line + 1}`;
  const open = () => perform({ do: "openUri", uri, ...(range === undefined ? {} : { range }) });
  return html`<button class="chip" title="Open ${name}" @click=${open}>${icon("file")} ${name}${lines}</button>`;
}

customElements.define("q-composer", Composer);
