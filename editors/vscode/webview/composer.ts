/** Where the user writes: drafts are kept, files attached, and input is taken while work is under way. */

import { html, nothing, type TemplateResult } from "lit";
import type { FileMatch } from "../src/messages.js";
import type { State } from "../src/model/state.js";
import type { Attachment, Modes, ModesInput } from "../src/protocol.gen.js";
import { icon, Part } from "./element.js";
import { modeBar } from "./mode_bar.js";
import { ask, findFiles, perform } from "./port.js";
import { SLASH_COMMANDS, slashCommand } from "./slash.js";
import { attachmentChip } from "./transcript.js";

const NEW_SESSION = "new";
const DEFAULT_MODES: Modes = {
  plan: null,
  agentMode: null,
  agentId: null,
  refinement: null,
  autonomy: "hitl",
  team: "auto",
};

interface Suggestion {
  label: string;
  detail: string;
  accept: () => void;
}

export class Composer extends Part {
  static override properties = {
    state: { attribute: false },
    attachments: { state: true },
    suggestions: { state: true },
    selected: { state: true },
    note: { state: true },
    chosen: { state: true },
  };
  declare state: State;
  declare attachments: Attachment[];
  declare suggestions: Suggestion[];
  declare selected: number;
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
    this.suggestions = [];
    this.selected = 0;
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
    const { current } = this.state;
    if (current === null) this.chosen = { ...this.chosen, ...change };
    else await ask("quorate.modes", { ...change, sessionId: current.sessionId });
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
      ${this.note === "" ? nothing : this.#noteCard()} ${this.faultLine()} ${this.#queued()}
      ${this.suggestions.length === 0 ? nothing : this.#suggestionList()}
      <div class="input-box">
        ${this.attachments.length === 0 ? nothing : html`<div class="attachments">${this.attachments.map((each) => this.#removable(each))}</div>`}
        <textarea rows="1" aria-label="Message" placeholder=${placeholder} @input=${this.#input} @keydown=${this.#keydown}></textarea>
        <div class="input-actions">
          ${this.#attachButton("selection", "list-selection", "Attach the selection")}
          ${this.#attachButton("file", "file", "Attach the file")}
          ${this.#attachButton("problems", "warning", "Attach the file's problems")}
          <span class="grow"></span>
          ${busy ? html`<button class="icon-button" title="Stop" aria-label="Stop" @click=${this.#stop}>${icon("debug-stop")}</button>` : nothing}
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
    return this.state.current?.summary?.busy ?? false;
  }

  get #modes(): Modes {
    return this.state.current?.summary?.modes ?? { ...DEFAULT_MODES, ...this.state.status?.modes, ...this.chosen };
  }

  get #draftKey(): string {
    return this.state.current?.sessionId ?? NEW_SESSION;
  }

  #field(): HTMLTextAreaElement | null {
    return this.querySelector<HTMLTextAreaElement>(".input-box textarea");
  }

  #attachButton(what: "selection" | "file" | "problems", name: string, label: string): TemplateResult {
    return html`<button class="icon-button" title=${label} aria-label=${label} @click=${() => perform({ do: "attach", what })}>${icon(name)}</button>`;
  }

  #removable(attachment: Attachment): TemplateResult {
    const remove = () => {
      this.attachments = this.attachments.filter((each) => each !== attachment);
    };
    return html`<span class="removable">${attachmentChip(attachment)}
      <button class="icon-button" title="Remove" aria-label="Remove the attachment" @click=${remove}>${icon("close")}</button></span>`;
  }

  #noteCard(): TemplateResult {
    const close = () => {
      this.note = "";
    };
    return html`<div class="card note" role="status"><q-markdown .text=${this.note}></q-markdown>
      <button class="icon-button" title="Close" aria-label="Close" @click=${close}>${icon("close")}</button></div>`;
  }

  #queued(): TemplateResult | typeof nothing {
    const queued = Object.values(this.state.current?.turns ?? {}).filter((turn) => turn.phase === "queued");
    if (queued.length === 0) return nothing;
    const drop = (turnId: string) => void this.attempt(() => ask("quorate.cancel", { turnId }));
    return html`<ul class="queue" aria-label="Queued">
      ${queued.map(
        (turn) => html`<li>${icon("clock")} <span class="task">${turn.text}</span>
          <button class="icon-button" title="Take it back" aria-label="Take it back" @click=${() => drop(turn.turnId)}>${icon("close")}</button></li>`,
      )}
    </ul>`;
  }

  #suggestionList(): TemplateResult {
    return html`<ul class="suggestions" role="listbox" aria-label="Suggestions">
      ${this.suggestions.map(
        ({ label, detail, accept }, index) => html`<li role="option" aria-selected=${index === this.selected}
          @mousedown=${(event: Event) => event.preventDefault()} @click=${accept}><strong>${label}</strong> <span class="muted">${detail}</span></li>`,
      )}
    </ul>`;
  }

  #input = (event: Event): void => {
    const field = event.target as HTMLTextAreaElement;
    this.#grow(field);
    this.#keepDraft(field.value);
    void this.#suggest(field);
  };

  #keydown = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === "Tab" && event.shiftKey) {
      event.preventDefault();
      this.togglePlan();
    } else if (this.suggestions.length > 0 && this.#inSuggestions(event)) event.preventDefault();
    else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      void this.#send(event.ctrlKey || event.metaKey ? "steer" : "queue");
    }
  };

  #inSuggestions(event: KeyboardEvent): boolean {
    const count = this.suggestions.length;
    switch (event.key) {
      case "ArrowDown":
        this.selected = (this.selected + 1) % count;
        return true;
      case "ArrowUp":
        this.selected = (this.selected + count - 1) % count;
        return true;
      case "Tab":
      case "Enter":
        this.suggestions[this.selected]?.accept();
        return true;
      case "Escape":
        this.suggestions = [];
        return true;
      default:
        return false;
    }
  }

  async #suggest(field: HTMLTextAreaElement): Promise<void> {
    const before = field.value.slice(0, field.selectionStart);
    this.selected = 0;
    const slash = /^\/(\w*)$/.exec(before);
    const mention = /(?:^|\s)@([^\s@]*)$/.exec(before);
    if (slash !== null) {
      const typed = slash[1] ?? "";
      this.suggestions = SLASH_COMMANDS.filter(({ name }) => name.startsWith(typed) && name !== typed).map(
        ({ name, help }) => ({
          label: `/${name}`,
          detail: help,
          accept: () => this.#complete(field, `/${name} `, before.length),
        }),
      );
    } else if (mention !== null) {
      const files = await findFiles(mention[1] ?? "");
      if (field.value.slice(0, field.selectionStart) === before)
        this.suggestions = files.map((file) => this.#fileSuggestion(field, file, mention[1] ?? ""));
    } else this.suggestions = [];
  }

  #fileSuggestion(field: HTMLTextAreaElement, { uri, path }: FileMatch, typed: string): Suggestion {
    return {
      label: path.split("/").at(-1) ?? path,
      detail: path,
      accept: () => {
        this.#complete(field, `@${path} `, typed.length + 1);
        this.attach([{ uri }]);
      },
    };
  }

  #complete(field: HTMLTextAreaElement, text: string, replaced: number): void {
    const end = field.selectionStart;
    field.setRangeText(text, end - replaced, end, "end");
    this.suggestions = [];
    this.#keepDraft(field.value);
    field.focus();
  }

  async #send(whenBusy: "queue" | "steer"): Promise<void> {
    const field = this.#field();
    const text = field?.value.trim() ?? "";
    if (field === null || text === "") return;
    this.suggestions = [];
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
    const { current } = this.state;
    const attachments = this.attachments;
    const session = current === null ? { modes: this.chosen } : { sessionId: current.sessionId };
    const { sessionId } = await ask("quorate.chat", { text, attachments, whenBusy, ...session });
    this.attachments = this.attachments.filter((each) => !attachments.includes(each));
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
    return { session: this.state.current, setModes: (change: ModesInput) => this.setModes(change) };
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

customElements.define("q-composer", Composer);
