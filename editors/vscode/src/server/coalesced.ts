/** However often it is asked for while it is under way, it is done once more, not as often as it was asked for. */
export class Coalesced {
  readonly #task: () => Promise<void>;
  #underWay: Promise<void> | undefined;
  #again = false;

  constructor(task: () => Promise<void>) {
    this.#task = task;
  }

  /** The end of what is under way, if anything is. */
  async idle(): Promise<void> {
    await this.#underWay;
  }

  run(): Promise<void> {
    if (this.#underWay !== undefined) {
      this.#again = true;
      return this.#underWay;
    }
    this.#underWay = this.#repeat().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #repeat(): Promise<void> {
    do {
      this.#again = false;
      await this.#task();
    } while (this.#again);
  }
}
