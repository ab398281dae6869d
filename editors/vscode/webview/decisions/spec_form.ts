/** Every field of a run's specification, to be edited before it starts. Only what was changed is sent. */

import { html, type TemplateResult } from "lit";
import type { Coordination, ResolvedRunSpec } from "../../src/protocol.gen.js";

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const CHOICES = {
  votingSensitivity: ["lenient", "balanced", "strict"],
  answerNoveltyRequirement: ["lenient", "balanced", "strict"],
  finalAnswerStrategy: ["winner_reuse", "winner_present", "synthesize"],
  override: ["ask", "offer", "off"],
} as const satisfies { [K in keyof Coordination]?: readonly Coordination[K][] };

export function specForm(spec: ResolvedRunSpec): TemplateResult {
  const area = (name: string, label: string, value: string, rows = 3) =>
    html`<label>${label}<textarea name=${name} aria-label=${label} rows=${rows} .value=${value}></textarea></label>`;
  const check = (name: string, label: string, checked: boolean) =>
    html`<label class="check"><input type="checkbox" name=${name} .checked=${checked} /> ${label}</label>`;
  return html`<form class="spec" @submit=${(event: Event) => event.preventDefault()}>
    ${area("task", "Task", spec.task)} ${area("context", "Context", spec.context ?? "")}
    ${select("agentMode", "Mode", ["single", "multi"], spec.agentMode)}
    ${area("agents", "Agents, one a line", spec.agents.join("\n"), Math.min(4, spec.agents.length + 1))}
    ${check("refinement", "Refinement: agents improve on each other's answers", spec.refinement)}
    ${check("planningMode", "Plan instead of doing it", spec.planningMode)}
    ${check("executeAfterPlanning", "Carry the plan out unasked", spec.executeAfterPlanning)}
    ${area("contextPaths", "Files, one a line: path read|write", pathLines(spec))}
    <fieldset><legend>Instructions for single agents</legend>
      ${spec.agents.map((id) => area(`prompt ${id}`, id, spec.agentSystemPrompts[id] ?? "", 1))}
    </fieldset>
    <fieldset class="pairs"><legend>Budget</legend>
      ${number("budget usd", "US dollars", spec.budget?.usd)} ${number("budget tokens", "Tokens", spec.budget?.tokens)}
      ${number("budget seconds", "Seconds", spec.budget?.seconds)}
    </fieldset>
    <details><summary>Coordination</summary><div class="pairs">${coordinationFields(spec.coordinationOverrides)}</div></details>
  </form>`;
}

function coordinationFields(rules: Coordination): TemplateResult[] {
  return (Object.entries(rules) as [keyof Coordination, Coordination[keyof Coordination]][]).map(([key, value]) => {
    const name = `rule ${key}`;
    const choices = (CHOICES as Partial<Record<string, readonly string[]>>)[key];
    if (choices !== undefined) return select(name, words(key), choices, String(value));
    if (typeof value === "boolean") {
      return html`<label class="check"><input type="checkbox" name=${name} .checked=${value} /> ${words(key)}</label>`;
    }
    return number(name, words(key), typeof value === "number" ? value : undefined);
  });
}

function select(name: string, label: string, choices: readonly string[], value: string): TemplateResult {
  return html`<label>${label}
    <select name=${name} aria-label=${label} .value=${value}>
      ${choices.map((choice) => html`<option value=${choice} ?selected=${choice === value}>${choice.replace("_", " ")}</option>`)}
    </select></label>`;
}

function number(name: string, label: string, value: number | undefined): TemplateResult {
  return html`<label>${label}<input type="number" min="0" step="any" name=${name} aria-label=${label} .value=${String(value ?? "")} /></label>`;
}

function words(key: string): string {
  const spaced = key.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function pathLines(spec: ResolvedRunSpec): string {
  return spec.contextPaths.map(({ path, permission }) => `${path} ${permission}`).join("\n");
}

/** A partial RunSpec of what differs from the one that was proposed. */
export function editsFrom(form: ParentNode, spec: ResolvedRunSpec): Record<string, unknown> {
  const field = (name: string) => form.querySelector<Field>(`[name="${name}"]`);
  const text = (name: string) => field(name)?.value.trim() ?? "";
  const ticked = (name: string) => (field(name) as HTMLInputElement | null)?.checked ?? false;
  const figure = (name: string) => (text(name) === "" ? null : Number(text(name)));
  const wanted = {
    task: text("task"),
    context: text("context") || null,
    agentMode: text("agentMode"),
    agents: lines(text("agents")),
    refinement: ticked("refinement"),
    planningMode: ticked("planningMode"),
    executeAfterPlanning: ticked("executeAfterPlanning"),
    contextPaths: lines(text("contextPaths")).map(contextPath),
    agentSystemPrompts: Object.fromEntries(
      spec.agents.map((id) => [id, text(`prompt ${id}`)]).filter(([, said]) => said !== ""),
    ),
    budget: budgetOf({ usd: figure("budget usd"), tokens: figure("budget tokens"), seconds: figure("budget seconds") }),
    coordinationOverrides: changedRules(spec.coordinationOverrides, { text, ticked, figure }),
  };
  const proposed: Record<string, unknown> = {
    ...spec,
    context: spec.context?.trim() || null,
    budget: spec.budget ?? null,
    coordinationOverrides: {},
  };
  return Object.fromEntries(
    Object.entries(wanted).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(proposed[key])),
  );
}

interface Reader {
  text: (name: string) => string;
  ticked: (name: string) => boolean;
  figure: (name: string) => number | null;
}

function changedRules(rules: Coordination, { text, ticked, figure }: Reader): Record<string, unknown> {
  const read = (key: string, value: unknown) => {
    if (key in CHOICES) return text(`rule ${key}`);
    return typeof value === "boolean" ? ticked(`rule ${key}`) : figure(`rule ${key}`);
  };
  return Object.fromEntries(
    Object.entries(rules).flatMap(([key, value]) => {
      const now = read(key, value);
      return now === value ? [] : [[key, now]];
    }),
  );
}

function budgetOf(parts: Record<string, number | null>): Record<string, number | null> | null {
  const given = Object.entries(parts).filter(([, value]) => value !== null);
  return given.length === 0 ? null : Object.fromEntries(given);
}

function contextPath(line: string): { path: string; permission: string } {
  const [, path = line, permission = "read"] = /^(.*?)(?:\s+(read|write))?$/.exec(line) ?? [];
  return { path, permission };
}

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
