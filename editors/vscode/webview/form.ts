/** What an action asks for before it is sent, as a form. What the user leaves as it is, is not sent. */

import { html, nothing, type TemplateResult } from "lit";
import type { InputColumn, InputField, InputOption } from "../src/protocol.gen.js";
import { iconButton, View } from "./element.js";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
type Row = Record<string, unknown>;

export interface Answer {
  path: readonly string[];
  value: unknown;
}

export class InputForm extends View {
  static override properties = { fields: { attribute: false } };
  declare fields: readonly InputField[];

  /** What differs from what it was. Throws, in a sentence, if something is missing. */
  answers(): Answer[] {
    return this.fields.flatMap((field) => {
      const value = this.#read(field);
      if (field.required && (value === "" || value === null)) throw new Error(`${field.label}: this is needed.`);
      return same(value, asItIs(field)) ? [] : [{ path: field.path, value }];
    });
  }

  protected override render(): TemplateResult {
    const [only, ...others] = this.fields;
    const groups = Map.groupBy(this.fields, ({ group }) => group ?? "");
    if (only?.kind === "text" && others.length === 0)
      return html`<form @keydown=${this.#keydown}>${lineView(only)}</form>`;
    return html`<form @submit=${(event: Event) => event.preventDefault()} @keydown=${this.#keydown}>
      ${[...groups].map(([group, fields]) =>
        group === ""
          ? fields.map(fieldView)
          : html`<details class="group"><summary>${group}</summary>${fields.map(fieldView)}</details>`,
      )}
    </form>`;
  }

  #read(field: InputField): unknown {
    const name = nameOf(field);
    if (field.kind === "rows") return this.querySelector<InputRows>(`q-rows[name="${name}"]`)?.rows ?? [];
    const control = this.querySelector<Control>(`[name="${name}"]`);
    if (control === null) return asItIs(field);
    return readControl(control, field);
  }

  /** Enter is enough where there is only one line to fill in. */
  #keydown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || this.fields.length > 1) return;
    event.preventDefault();
    this.dispatchEvent(new Event("entered"));
  };
}

/** A list of objects, of which some fields can be edited; rows can be added and taken away. */
export class InputRows extends View {
  static override properties = { field: { attribute: false }, rows: { state: true } };
  declare field: InputField;
  declare rows: Row[];

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has("field")) this.rows = asItIs(this.field) as Row[];
  }

  protected override render(): TemplateResult {
    const { label, columns = [] } = this.field;
    return html`<fieldset class="rows"><legend>${label}</legend>
      ${this.rows.map(
        (row, at) => html`<div class="row">
          ${columns.map((column) => this.#cell(row, at, column))}
          ${iconButton("close", `Remove row ${at + 1} of ${label}`, () => this.#set(this.rows.toSpliced(at, 1)))}
        </div>`,
      )}
      ${iconButton("add", `Add to ${label}`, () => this.#set([...this.rows, {}]))}
    </fieldset>`;
  }

  #cell(row: Row, at: number, { key, label, options }: InputColumn): TemplateResult {
    const change = (value: unknown) => this.#set(this.rows.with(at, { ...row, [key]: value }));
    const name = `${label} ${at + 1}`;
    if (options !== undefined) return selectView(name, options, row[key], change);
    return html`<textarea rows="1" aria-label=${name} placeholder=${label} .value=${String(row[key] ?? "")}
      @change=${(event: Event) => change((event.target as HTMLTextAreaElement).value)}></textarea>`;
  }

  #set(rows: Row[]): void {
    this.rows = rows;
  }
}

function fieldView(field: InputField): TemplateResult {
  const { label, kind, placeholder = "", options = [] } = field;
  const name = nameOf(field);
  const now = asItIs(field);
  switch (kind) {
    case "hunks":
      return html`${nothing}`;
    case "rows":
      return html`<q-rows name=${name} .field=${field}></q-rows>`;
    case "flag":
      return html`<label class="check"><input type="checkbox" name=${name} .checked=${now === true} /> ${label}</label>`;
    case "choice":
      return html`<label>${label} ${selectView(label, options, now, undefined, name)}</label>`;
    case "number":
      return html`<label>${label}<input type="number" min="0" step="any" name=${name} aria-label=${label}
        .value=${String(now ?? "")} /></label>`;
    case "list":
      return html`<label>${label}<textarea name=${name} aria-label=${label} rows=${(now as string[]).length + 1}
        .value=${(now as string[]).join("\n")}></textarea></label>`;
    case "text":
      return html`<label>${label}<textarea name=${name} aria-label=${label} rows=${field.long ? 3 : 1}
        placeholder=${placeholder} .value=${String(now)}></textarea></label>`;
  }
}

/** All that is asked for: it needs no heading, and grows as it is written. */
function lineView(field: InputField): TemplateResult {
  const { label, placeholder = label } = field;
  const grow = ({ target }: Event) => {
    const area = target as HTMLTextAreaElement;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  };
  return html`<textarea rows="1" name=${nameOf(field)} aria-label=${label} placeholder=${placeholder}
    .value=${String(asItIs(field))} @input=${grow}></textarea>`;
}

function selectView(
  label: string,
  options: readonly InputOption[],
  now: unknown,
  change?: (value: unknown) => void,
  name = "",
): TemplateResult {
  const changed = (event: Event) => change?.(options[(event.target as HTMLSelectElement).selectedIndex]?.value);
  return html`<select name=${name} aria-label=${label} @change=${changed}>
    ${options.map((option) => html`<option ?selected=${same(option.value, now)}>${option.label}</option>`)}
  </select>`;
}

function readControl(control: Control, field: InputField): unknown {
  if (control instanceof HTMLSelectElement) return field.options?.[control.selectedIndex]?.value;
  if (field.kind === "flag") return (control as HTMLInputElement).checked;
  const text = control.value.trim();
  if (field.kind === "number") return text === "" ? null : Number(text);
  return field.kind === "list"
    ? text
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean)
    : text;
}

/** What a field holds before anybody touches it. */
function asItIs({ kind, value }: InputField): unknown {
  const nothingYet = { text: "", number: null, flag: false, choice: null, list: [], rows: [], hunks: null } as const;
  return value ?? nothingYet[kind];
}

function nameOf({ path }: InputField): string {
  return path.join(".");
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

customElements.define("q-form", InputForm);
customElements.define("q-rows", InputRows);
