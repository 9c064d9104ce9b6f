// The result of a replay: where the trees differ, where tools now use other words, and what could not be compared. Pure.

export type TreeDifference = {
  readonly run: number
  /** The first turn after which the file differs. */
  readonly turn: number
  readonly path: string
  /** SHA-256 of the file as the transcript has it; null: there is no file. */
  readonly stored: string | null
  readonly replayed: string | null
}

export type WordDifference = {
  readonly run: number
  readonly turn: number
  readonly tool: string
  /** The first lines that differ. */
  readonly stored: string
  readonly replayed: string
}

export type NotCompared = { readonly run: number; readonly turn: number | null; readonly reason: string }

export type ReplayReport = {
  /** Turns whose tree was compared. */
  readonly turns: number
  readonly differences: readonly TreeDifference[]
  readonly words: readonly WordDifference[]
  readonly notCompared: readonly NotCompared[]
}

/** Returns the first line in which the texts differ, of each. */
export function firstDifference(stored: string, replayed: string): Pick<WordDifference, 'stored' | 'replayed'> {
  const [before, after] = [stored.split('\n'), replayed.split('\n')]
  const at = before.findIndex((line, index) => line !== after[index])
  const line = at === -1 ? before.length : at
  return { stored: before[line] ?? '', replayed: after[line] ?? '' }
}
