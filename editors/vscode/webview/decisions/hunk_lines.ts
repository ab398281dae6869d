/** A unified diff cut into its hunks, each with its header line. */
export function hunksOf(diff: string): string[][] {
  const hunks: string[][] = [];
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    if (line.startsWith("@@")) hunks.push([line]);
    else hunks.at(-1)?.push(line);
  }
  return hunks;
}
