// The name that took the place of one that a commit removed: a line that differs in one name alone. Only if all such lines of the
// commit agree.

import { termKeys } from '../../../docs-syntax/terms/term-keys.ts'

/** So many lines agree on a name that has no word of the old one. */
const clearly = 3
/** A line with more parts is data. */
const mostParts = 80
const mostLines = 400
const words =
  /^(?:true|false|null|none|nil|undefined|self|this|return|string|number|int|bool|boolean|public|private|static|const|let|var)$/i

export type Renamed = {
  /** Lines of one file that a commit removed and added. */
  take(change: { readonly removed: readonly string[]; readonly added: readonly string[] }): void
  /** In the form of the documented name; undefined if nothing is clear. `isThere`: whether the source has it at the pin. */
  name(isThere: (key: string) => boolean): string | undefined
}

/** `written`: as the docs have it. */
export function createRenamed(written: string, key: string): Renamed {
  const votes = new Map<string, { readonly text: string; count: number }>()
  return {
    take: ({ removed, added }) => {
      const before = removed.filter((line) => termKeys(line).whole.includes(key))
      const after = before.length === 0 ? [] : added.slice(0, mostLines).map(toParts)
      for (const line of before) {
        const parts = toParts(line)
        const at = parts.findIndex((part) => termKeys(part).whole === key)
        if (at === -1) continue
        const names = new Set(after.flatMap((other) => onlyOther(parts, other, at) ?? []))
        for (const name of names) {
          const { whole } = termKeys(name)
          const known = votes.get(whole) ?? { text: name, count: 0 }
          votes.set(whole, known)
          known.count += 1 / names.size
        }
      }
    },
    name: (isThere) => {
      const [first, second] = [...votes]
        .filter(([name]) => name.length > 2 && name !== key && isThere(name))
        .toSorted(([, a], [, b]) => b.count - a.count)
      if (!first || (second && second[1].count * 3 > first[1].count)) return undefined
      if (first[1].count < (isAkin(written, first[1].text) ? 1 : clearly)) return undefined
      return inFormOf(written, first[1].text)
    },
  }
}

/** `deriveVersion` and `derive_constraint`. */
function isAkin(one: string, other: string): boolean {
  const [ours, theirs] = [one, other].map(
    (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g)?.map((word) => word.toLowerCase()) ?? [],
  )
  const shared = ours?.filter((word) => theirs?.includes(word)).length ?? 0
  return (
    shared * 2 >= Math.max(ours?.length ?? 0, theirs?.length ?? 0, 1) ||
    distance(one.toLowerCase(), other.toLowerCase()) * 4 <= one.length
  )
}

/** The distance of Levenshtein. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1]
    for (let place = 0; place < other.length; place += 1) {
      next.push(
        Math.min(
          (row[place] ?? 0) + (one[at] === other[place] ? 0 : 1),
          (row[place + 1] ?? 0) + 1,
          (next[place] ?? 0) + 1,
        ),
      )
    }
    row = next
  }
  return row.at(-1) ?? 0
}

function toParts(line: string): string[] {
  return line.match(/[A-Za-z_$][\w$-]*[\w$]|--?[A-Za-z][\w-]*|\S/g)?.slice(0, mostParts + 1) ?? []
}

/** The part in the place of the one at `at`, if all others are equal. */
function onlyOther(parts: readonly string[], other: readonly string[], at: number): string | undefined {
  if (parts.length !== other.length || parts.length < 3 || parts.length > mostParts) return undefined
  const name = other[at] ?? ''
  if (!/^-{0,2}[A-Za-z_]/.test(name) || words.test(name)) return undefined
  return parts.every((part, place) => place === at || part === other[place]) ? name : undefined
}

/** `--old-name` and `new_name` give `--new-name`. */
export function inFormOf(written: string, name: string): string {
  const parts = termKeys(name.replace(/^[-_]+/, '')).words
  const list = parts.length === 0 ? [termKeys(name).whole] : parts
  if (written.startsWith('-')) return `--${list.join(written.includes('_') ? '_' : '-')}`
  const bare = name.replace(/^-+/, '')
  if (/^[A-Z\d_]+$/.test(written)) return list.join('_').toUpperCase()
  if (/^[a-z\d]+(?:_[a-z\d]+)+$/.test(written)) return list.join('_')
  if (/^[a-z\d]+(?:-[a-z\d]+)+$/.test(written)) return list.join('-')
  if (/^[a-z]+(?:[A-Z][a-z\d]*)+$/.test(written)) return list.map((one, at) => (at === 0 ? one : capital(one))).join('')
  return bare
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
