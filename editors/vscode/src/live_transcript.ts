/** A transcript of the server's that is shown here: kept up to date by its patches, opened again when one was missed. */

import type { Entry, Transcript, TranscriptPatched } from "./protocol.gen.js";
import { EMPTY, patched } from "./transcript.js";

/** What the listeners are told: everything anew, or what has changed. */
export type TranscriptNews =
  | { type: "transcript"; transcript: Transcript }
  | { type: "patched"; rev: number; patch: TranscriptPatched["patch"] };

export class LiveTranscript {
  readonly #listeners = new Set<(news: TranscriptNews) => void>();
  #transcript = EMPTY;
  #opening: Promise<Transcript> | undefined;

  get transcript(): Transcript {
    return this.#transcript;
  }

  get entries(): readonly Entry[] {
    return this.#transcript.entries;
  }

  subscribe(listener: (news: TranscriptNews) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  show(transcript: Transcript): void {
    this.#opening = undefined;
    this.#transcript = transcript;
    this.#tell({ type: "transcript", transcript });
  }

  /** What `fetch` brings is shown, unless something else was asked for meanwhile; says which. */
  async open(fetch: () => Promise<Transcript>): Promise<boolean> {
    const opening = fetch();
    this.#opening = opening;
    const transcript = await opening.catch((fault: unknown) => {
      if (this.#opening === opening) this.#opening = undefined;
      throw fault;
    });
    if (this.#opening !== opening) return false;
    this.show(transcript);
    return true;
  }

  /** False if something was missed. What comes while it is being opened stands in the answer already. */
  take({ rev, patch }: TranscriptPatched): boolean {
    if (this.#opening !== undefined) return true;
    const next = patched(this.#transcript, { rev, patch });
    if (next === null) return false;
    this.#transcript = next;
    this.#tell({ type: "patched", rev, patch });
    return true;
  }

  #tell(news: TranscriptNews): void {
    for (const listener of this.#listeners) listener(news);
  }
}
