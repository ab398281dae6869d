/** Our elements draw into the page itself, so that one style sheet and the editor's theme reach them. */

import { html, LitElement, nothing, type TemplateResult } from "lit";

export type Drawn = TemplateResult | typeof nothing;

export abstract class View extends LitElement {
  /** Something the user asked for was refused: said here, where it was asked for. */
  protected fault = "";

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected async attempt(deed: () => Promise<unknown>): Promise<void> {
    this.fault = "";
    try {
      await deed();
    } catch (fault) {
      this.fault = fault instanceof Error ? fault.message : String(fault);
    }
    this.requestUpdate();
  }

  protected faultLine(): Drawn {
    return this.fault === "" ? nothing : html`<p class="fault" role="alert">${icon("error")} ${this.fault}</p>`;
  }
}

export function icon(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

export function iconButton(name: string, label: string, press: (event: Event) => void): TemplateResult {
  return html`<button class="icon-button" title=${label} aria-label=${label} @click=${press}>${icon(name)}</button>`;
}

/** The seconds that are left for a decision. */
export class Countdown extends View {
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
    return html`<span class="badge" title="Time left to decide">${left} s</span>`;
  }
}

customElements.define("q-countdown", Countdown);
