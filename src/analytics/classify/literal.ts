// Finds the longest run of plain characters in every match of a regular expression. It makes searching a thousand
// expressions cheap. It is only a hint: the expression decides.

/** Returns lower case; empty where no run is certain. `source` is that of a RegExp without flags. */
export function literalOf(source: string): string {
  // A group or an alternative may be absent as a whole: no run is certain then.
  if (/(?<!\\)[(|]/.test(source)) return ''
  const runs: string[] = ['']
  for (const [token] of source.matchAll(/\[(?:\\.|[^\]])*\]|\\.|\{[^}]*\}|[^]/g)) take(runs, token)
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '').toLowerCase()
}

function take(runs: string[], token: string): void {
  const last = runs.length - 1
  const run = runs[last] ?? ''
  if (/^(?:[?*]|\{)/.test(token)) {
    runs[last] = run.slice(0, -1)
    runs.push('')
  } else if (/^\\[^a-z0-9]$/i.test(token)) runs[last] = run + token.slice(1)
  else if (/^[^\\[.^$+]$/.test(token)) runs[last] = run + token
  else runs.push('')
}
