/** One item of the transcript. It is drawn anew only when it has changed itself. */

import { nothing, type TemplateResult } from "lit";
import type { PlacedItem } from "../src/model/state.js";
import { Part } from "./element.js";
import { itemBody } from "./transcript.js";

export class ItemLine extends Part {
  static override properties = { placed: { attribute: false } };
  declare placed: PlacedItem | undefined;

  protected override render(): TemplateResult | typeof nothing {
    return this.placed === undefined ? nothing : itemBody(this.placed);
  }
}

customElements.define("q-item", ItemLine);
