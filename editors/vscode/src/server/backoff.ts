/** How long to wait before a server that died is started again, and when to stop trying. */

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
