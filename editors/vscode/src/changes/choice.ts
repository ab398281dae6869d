/** Which hunks of a change set the user wants: all, but those that were refused one by one. */

import type { Change, FileChoice } from "../protocol.gen.js";

export function hunkId(uri: string, index: number): string {
  return `${uri}#${index}`;
}

/** A change without hunks, such as a deletion, is taken or left as a whole. */
export function hunkIds(change: Change): string[] {
  return change.hunks.length === 0 ? [change.uri] : change.hunks.map(({ index }) => hunkId(change.uri, index));
}

/** As `edits` of an approval: null is everything. */
export function chosenFiles(changes: readonly Change[], refused: readonly string[]): { files: FileChoice[] } | null {
  if (refused.length === 0) return null;
  const files = changes.flatMap((change) => {
    if (refused.includes(change.uri)) return [];
    const hunks = change.hunks
      .map(({ index }) => index)
      .filter((index) => !refused.includes(hunkId(change.uri, index)));
    if (hunks.length === change.hunks.length) return [{ uri: change.uri }];
    return hunks.length === 0 ? [] : [{ uri: change.uri, hunks }];
  });
  return { files };
}

/** With these ids refused or no longer refused. */
export function withRefusals(refused: readonly string[], ids: readonly string[], refuse: boolean): string[] {
  const others = refused.filter((id) => !ids.includes(id));
  return refuse ? [...others, ...ids] : others;
}
