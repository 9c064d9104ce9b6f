// Compares the figures of a service with those of a copy of its data. Pure.

import type { Figures } from './figures.ts'

/** null: there is no such figure. */
export type Difference = { readonly about: string; readonly running: string | null; readonly copy: string | null }

export type Compared = {
  /** Figures that were compared. */
  readonly compared: number
  /** Figures that changed in the running service while the copy was made. */
  readonly moved: number
  readonly differences: readonly Difference[]
}

/** `before`, `after`: of the running service, before and after the copy was made. What changed in between may be either in the copy. */
export function compareFigures(before: Figures, after: Figures, copy: Figures): Compared {
  const differences: Difference[] = []
  let [compared, moved] = [0, 0]
  for (const about of new Set([...before.keys(), ...after.keys(), ...copy.keys()])) {
    const running = before.get(about) ?? null
    if (running !== (after.get(about) ?? null)) {
      moved += 1
      continue
    }
    compared += 1
    const copied = copy.get(about) ?? null
    if (copied !== running) differences.push({ about, running, copy: copied })
  }
  return { compared, moved, differences }
}
