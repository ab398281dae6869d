/** The state of this window, and those who want to know when it changes. */

import { type Action, reduce } from "./reduce.js";
import { INITIAL, type State } from "./state.js";

export type Listener = (state: State, action: Action) => void;

export class Store {
  #state = INITIAL;
  readonly #listeners = new Set<Listener>();

  get state(): State {
    return this.#state;
  }

  dispatch(action: Action): void {
    this.#state = reduce(this.#state, action);
    for (const listener of this.#listeners) listener(this.#state, action);
  }

  subscribe(listener: Listener): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }
}
