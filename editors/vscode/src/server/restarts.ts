/** When a server is started again: after which wait, how often, and once for however many asked for it. */

const DELAYS_MS = [500, 1000, 2000, 4000, 8000];
/** One that lived so long did not die of what killed the one before. */
const HEALTHY_AFTER_MS = 60_000;

export class Backoff {
  #deaths = 0;
  #startedAt = 0;

  started(now: number): void {
    this.#startedAt = now;
  }

  /** The wait before the next start, or null when it is of no use to try again. */
  died(now: number): number | null {
    if (now - this.#startedAt > HEALTHY_AFTER_MS) this.#deaths = 0;
    const delay = DELAYS_MS[this.#deaths] ?? null;
    this.#deaths += 1;
    return delay;
  }

  reset(): void {
    this.#deaths = 0;
  }
}

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
