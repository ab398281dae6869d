/** The seconds that are left for a decision. */

import { html, nothing, type TemplateResult } from "lit";
import { Part } from "./element.js";

export class Countdown extends Part {
  static override properties = { until: { attribute: false } };
  declare until: string;
  #timer: number | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = window.setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearInterval(this.#timer);
  }

  protected override render(): TemplateResult {
    const left = Math.max(0, Math.ceil((Date.parse(this.until) - Date.now()) / 1000));
    return html`<span class="badge" title="Then the vote stands">${left} s</span>`;
  }
}

customElements.define("q-countdown", Countdown);

export function countdown(until: string | undefined): TemplateResult | typeof nothing {
  return until === undefined ? nothing : html`<q-countdown .until=${until}></q-countdown>`;
}
