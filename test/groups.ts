// Splits test files into groups that take as long as each other. Knows nothing of processes.

export type Durations = Readonly<Record<string, number>>

/** How long a file takes that is too quick to be recorded, or new. */
const unknownMs = 200
/** A difference that is noise, as a factor. */
const noise = 1.5
/** A group may end this part of its size too early or late for each level of folders that it keeps whole. */
const splitCost = 0.02

/** Groups follow the order of paths, so the files of a folder load its modules together. No group is empty. */
export function toGroups(files: readonly string[], durations: Durations, count: number): string[][] {
  const sorted = files.toSorted()
  const ends = [0]
  for (const file of sorted) ends.push((ends.at(-1) ?? 0) + (durations[file] ?? unknownMs))
  const size = (ends.at(-1) ?? 0) / count
  const cost = (ms: number, at: number, wanted: number) =>
    Math.abs(ms - wanted) / size + splitCost * sharedFolders(sorted[at - 1], sorted[at])
  const cuts = Array.from({ length: count + 1 }, (_, group) => {
    const costs = ends.map((ms, at) => cost(ms, at, group * size))
    return costs.indexOf(Math.min(...costs))
  })
  return cuts.flatMap((cut, group) => (cut < (cuts[group + 1] ?? 0) ? [sorted.slice(cut, cuts[group + 1])] : []))
}

function sharedFolders(before = '', after = ''): number {
  const others = after.split('/')
  return before.split('/').findIndex((name, at) => name !== others[at])
}

/** The durations to keep of a run: rounded, and those of before where the difference is noise, so few lines change. */
export function updateDurations(before: Durations, measured: ReadonlyMap<string, number>): Durations {
  const kept = [...measured].flatMap(([file, ms]): [string, number][] => {
    const old = before[file] ?? unknownMs
    const isNoise = ms < old * noise && ms > old / noise
    const rounded = isNoise ? old : Number(ms.toPrecision(2))
    return rounded > unknownMs ? [[file, rounded]] : []
  })
  return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
