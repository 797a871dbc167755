const MAX_EDITS = 2;

/** Whether a name differs from a known one by at most so many edits (Levenshtein distance): most likely it is that one, misspelt. */
export function isMisspelt(name: string, known: string, maxEdits = MAX_EDITS): boolean {
  if (name === known || Math.abs(name.length - known.length) > maxEdits) return false;
  let row = Array.from({ length: known.length + 1 }, (_, n) => n);
  for (let i = 1; i <= name.length; i++) {
    const next = [i];
    for (let j = 1; j <= known.length; j++)
      next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + Number(name[i - 1] !== known[j - 1]));
    row = next;
  }
  return (row[known.length] ?? 0) <= maxEdits;
}
