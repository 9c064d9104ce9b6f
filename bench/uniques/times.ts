// The ranges of days that the benchmarks of unique visitors ask for, and the times of the answers.

export type Counts = { readonly human: number; readonly ai: number; readonly total: number }
/** Counts the days from `from` to the day before `to`. */
export type Ask = (from: string, to: string) => Promise<Counts>

export type Times = { readonly p50: number; readonly p99: number; readonly rounds: number }

/** The days of the page views. */
export const days = 365
/** Seconds after which no further round begins; at least three rounds run. */
const patience = 60
const dayMs = 86_400_000
/** The first moment after the page views. */
export const until = Math.floor(Date.now() / dayMs) * dayMs

/** The range ends earlier from round to round; for a whole year it begins earlier too, before the first row. */
export function rangeOf(length: number, round: number): [string, string] {
  const shift = round % 300
  const to = length === days ? until : until - shift * dayMs
  const from = length === days ? until - (days + shift) * dayMs : to - length * dayMs
  return [toDay(from), toDay(to)]
}

/** The last days, with today. */
export function today(length: number): [string, string] {
  return [toDay(until - (length - 1) * dayMs), toDay(until + dayMs)]
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** `next` chooses what is asked in a round. */
export async function timesOf(next: () => Ask, length: number, wanted: number): Promise<Times> {
  const times: number[] = []
  const begin = performance.now()
  for (let round = 0; round < wanted; round += 1) {
    if (round >= 3 && performance.now() - begin > patience * 1_000) break
    const [from, to] = rangeOf(length, round)
    const ask = next()
    const start = performance.now()
    await ask(from, to)
    times.push(performance.now() - start)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), rounds: times.length }
}

/** Throws unless both return the same counts. */
export async function compare(ours: Ask, theirs: Ask, [from, to]: readonly [string, string], name: string) {
  const answers = [await ours(from, to), await theirs(from, to)].map((counts) => JSON.stringify(counts))
  if (answers[0] !== answers[1]) throw new Error(`${from}: docent ${answers[0]}, ${name} ${answers[1]}`)
}

/** Resident memory of this process, in MB. */
export function residentMegabytes(): number {
  return Math.round(process.memoryUsage.rss() / 1e6)
}
