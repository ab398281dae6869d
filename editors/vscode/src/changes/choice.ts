/** What the user adds to an action before it is sent: which hunks of its entry's diffs are wanted, and filled-in fields. */

import type { Action, DiffData, Entry, FileChoice, InputField } from "../protocol.gen.js";

export function hunkId(uri: string, index: number): string {
  return `${uri}#${index}`;
}

/** A change without hunks, such as a deletion, is taken or left as a whole. */
export function hunkIds({ uri, hunks }: DiffData): string[] {
  return hunks.length === 0 ? [uri] : hunks.map(({ index }) => hunkId(uri, index));
}

export function diffsOf({ parts }: Entry): DiffData[] {
  return parts.flatMap((part) => (part.kind === "diff" ? [part.data] : []));
}

/** The action of an entry whose diffs are there to be chosen from, and the field that takes the choice. */
export function hunksAction({ actions }: Entry): { action: Action; field: InputField } | undefined {
  for (const action of actions) {
    const field = action.input?.find(({ kind }) => kind === "hunks");
    if (field !== undefined) return { action, field };
  }
  return undefined;
}

/** All, but what was refused one by one; undefined stands for everything. */
export function chosenFiles(diffs: readonly DiffData[], refused: readonly string[]): FileChoice[] | undefined {
  if (refused.length === 0) return undefined;
  return diffs.flatMap((diff) => {
    const { uri } = diff;
    const kept = hunkIds(diff).filter((id) => !refused.includes(id));
    if (kept.length === 0) return [];
    const hunks = diff.hunks.map(({ index }) => index).filter((index) => kept.includes(hunkId(uri, index)));
    return hunks.length === diff.hunks.length ? [{ uri }] : [{ uri, hunks }];
  });
}

/** With these ids refused or no longer refused. */
export function withRefusals(refused: readonly string[], ids: readonly string[], refuse: boolean): string[] {
  const others = refused.filter((id) => !ids.includes(id));
  return refuse ? [...others, ...ids] : others;
}

/** The action's arguments with the value at the path of a field; what is undefined is not sent. */
export function withValue(
  params: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): Record<string, unknown> {
  const [key, ...rest] = path;
  if (key === undefined || value === undefined) return params;
  const inner = (params[key] ?? {}) as Record<string, unknown>;
  return { ...params, [key]: rest.length === 0 ? value : withValue(inner, rest, value) };
}
