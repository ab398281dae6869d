/** Our elements draw into the page itself, so that one style sheet and the editor's theme reach them. */

import { html, LitElement, type TemplateResult } from "lit";

export abstract class Part extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Something the user asked for was refused: said here, where it was asked for. */
  protected fault = "";

  protected async attempt(deed: () => Promise<unknown>): Promise<void> {
    this.fault = "";
    try {
      await deed();
    } catch (fault) {
      this.fault = fault instanceof Error ? fault.message : String(fault);
    }
    this.requestUpdate();
  }

  protected faultLine(): TemplateResult | string {
    return this.fault === "" ? "" : html`<p class="fault" role="alert">${icon("error")} ${this.fault}</p>`;
  }
}

export function icon(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

export function dollars(usd: number | undefined): string {
  if (usd === undefined) return "";
  return usd > 0 && usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}
