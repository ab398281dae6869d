/** How the next piece of work is done. Locked while something is under way. */

import { html, nothing, type TemplateResult } from "lit";
import type { AgentHealth, Modes, ModesInput } from "../src/protocol.gen.js";
import { icon } from "./element.js";

export interface ModeBar {
  modes: Modes;
  agents: readonly AgentHealth[];
  locked: boolean;
  change: (change: ModesInput) => void;
}

export function modeBar({ modes, agents, locked, change }: ModeBar): TemplateResult {
  const threeWay = (value: boolean | null) => (value === null ? "auto" : value ? "on" : "off");
  const fromThreeWay = (value: string) => (value === "auto" ? null : value === "on");
  return html`<div class="mode-bar" role="toolbar" aria-label="Modes" title=${locked ? "Locked while work is under way" : ""}>
    ${locked ? icon("lock") : nothing}
    <button class="toggle" aria-pressed=${modes.plan === true} ?disabled=${locked} title="Plan before doing (Shift+Tab)"
      @click=${() => change({ plan: modes.plan === true ? null : true })}>${icon("checklist")} Plan</button>
    ${picker(
      "Agents",
      modes.agentMode ?? "auto",
      { auto: "Agents: auto", single: "Single agent", multi: "Whole team" },
      locked,
      (value) =>
        change({
          agentMode: value === "auto" ? null : (value as "single" | "multi"),
          ...(value === "single" ? {} : { agentId: null }),
        }),
    )}
    ${picker(
      "Refinement",
      threeWay(modes.refinement),
      { auto: "Refine: auto", on: "Refine: on", off: "Refine: off" },
      locked,
      (value) => change({ refinement: fromThreeWay(value) }),
    )}
    ${picker("Autonomy", modes.autonomy, { hitl: "Asks me", autonomous: "Autonomous" }, locked, (value) =>
      change({ autonomy: value as Modes["autonomy"] }),
    )}
    ${picker(
      "Team",
      modes.team,
      { auto: "Team: auto", always: "Team: always", never: "Team: never" },
      locked,
      (value) => change({ team: value as Modes["team"] }),
    )}
    ${agents.length === 0 ? nothing : agentPicker(modes, agents, locked, change)}
  </div>`;
}

function picker(
  label: string,
  value: string,
  choices: Record<string, string>,
  locked: boolean,
  change: (value: string) => void,
): TemplateResult {
  return html`<select aria-label=${label} title=${label} ?disabled=${locked} .value=${value}
    @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}>
    ${Object.entries(choices).map(([id, text]) => html`<option value=${id} ?selected=${id === value}>${text}</option>`)}
  </select>`;
}

const HEALTH = { ok: "pass", unknown: "circle-outline", unreachable: "error", misconfigured: "warning" } as const;

/** With a single agent the others are greyed; choosing one means it works alone. */
function agentPicker(
  modes: Modes,
  agents: readonly AgentHealth[],
  locked: boolean,
  change: (change: ModesInput) => void,
): TemplateResult {
  const single = modes.agentMode === "single";
  const chosen = modes.agentId ?? agents[0]?.agentId;
  return html`<span class="agent-picker" role="group" aria-label="Agents">
    ${agents.map(
      (agent) => html`<button class="chip ${single && agent.agentId !== chosen ? "greyed" : ""}" ?disabled=${locked}
        aria-pressed=${!single || agent.agentId === chosen}
        title="${agent.agentId}: ${[agent.backend, agent.model, agent.detail ?? agent.health].filter(Boolean).join(", ")}"
        @click=${() => change({ agentMode: "single", agentId: agent.agentId })}>
        ${icon(HEALTH[agent.health])} ${agent.agentId}</button>`,
    )}
  </span>`;
}
