/** A page of the extension: it holds what it was told, and draws it. */

import type { ToWebview } from "../src/messages.js";
import type { Transcript } from "../src/protocol.gen.js";
import { INITIAL, type State } from "../src/state.js";
import { EMPTY, patched } from "../src/transcript.js";
import { View } from "./element.js";
import { listen, ready } from "./port.js";

export type PageStart = Extract<ToWebview, { type: "page" }>;

export abstract class Page extends View {
  static override properties = { state: { state: true }, transcript: { state: true } };
  declare state: State;
  declare transcript: Transcript;

  constructor() {
    super();
    this.state = INITIAL;
    this.transcript = EMPTY;
    listen((message) => this.#take(message));
  }

  /** What a page needs to know before anything else. */
  protected abstract begin(start: PageStart): void;

  /** What is said to this page alone. */
  protected abstract hear(message: ToWebview): void;

  #take(message: ToWebview): void {
    switch (message.type) {
      case "page":
        this.state = message.state;
        this.transcript = message.transcript;
        this.begin(message);
        return;
      case "state":
        this.state = { ...this.state, ...message.change };
        return;
      case "transcript":
        this.transcript = message.transcript;
        return;
      case "patched": {
        const next = patched(this.transcript, message);
        if (next === null) ready();
        else this.transcript = next;
        return;
      }
      default:
        this.hear(message);
    }
  }
}
