/** Markdown that may still be growing. */

import { View } from "./element.js";
import { renderBlocks } from "./markdown.js";
import { perform } from "./port.js";

export class MarkdownText extends View {
  static override properties = { text: { attribute: false } };
  declare text: string;
  #drawn: string[] = [];

  constructor() {
    super();
    this.text = "";
    this.addEventListener("click", (event) => this.#clicked(event));
  }

  protected override updated(): void {
    const blocks = renderBlocks(this.text);
    blocks.forEach((html, index) => {
      if (this.#drawn[index] === html) return;
      let block = this.children[index];
      if (block === undefined) {
        block = document.createElement("div");
        this.append(block);
      }
      block.innerHTML = html;
    });
    while (this.children.length > blocks.length) this.lastElementChild?.remove();
    this.#drawn = blocks;
  }

  #clicked(event: Event): void {
    const target = event.target as HTMLElement;
    const link = target.closest("a");
    if (link !== null) {
      event.preventDefault();
      perform({ do: "openLink", href: link.getAttribute("href") ?? "" });
    }
    const button = target.closest<HTMLElement>("[data-action]");
    const code = button?.closest(".code-block")?.querySelector("code")?.textContent;
    const action = button?.dataset.action;
    if (code && (action === "copy" || action === "insert" || action === "applyCode"))
      perform({ do: action, text: code });
  }
}

customElements.define("q-markdown", MarkdownText);
