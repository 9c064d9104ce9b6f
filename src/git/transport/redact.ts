// Removes the secrets of one call from what git says. Hosts and proxies echo what they were sent, in several spellings
// and broken over lines, so every run of some characters of a secret is removed, wherever it is. The patterns of
// `errors.ts` are the second line of defence.

import type { LoginCredential } from '../types.ts'

/** Shorter text than this says nothing about a long secret; shorter secrets are found as a whole. */
const runLength = 12
/** A shorter secret would remove common words. */
const leastLength = 4
/** Occurs within a secret that was broken over lines: white space, control codes, and git's prefix. */
const separators = /(?:\u001b\[[0-9;?]*[A-Za-z]|[\s\p{Cc}\p{Cf}]|(?<=[\r\n])remote:)+/gu
const mark = '[redacted]'

/** Returns a function that replaces the password of the credential in any text. */
export function createRedaction(credential: LoginCredential): (text: string) => string {
  const runs = Map.groupBy(spellingsOf(credential).flatMap(runsOf), (run) => run.length)
  const bySize = [...runs].map(([size, all]) => [size, new Set(all)] as const)
  return (text) => {
    const { compact, places } = compacted(text)
    const ranges: Range[] = []
    for (let at = 0; at < compact.length; at += 1) {
      const size = bySize.find(([size, all]) => all.has(compact.slice(at, at + size)))?.[0]
      if (size !== undefined) extend(ranges, places[at] ?? 0, (places[at + size - 1] ?? 0) + 1)
    }
    return cutOut(text, ranges)
  }
}

function spellingsOf({ username, password }: LoginCredential): string[] {
  const basic = Buffer.from(`${username}:${password}`)
  const alone = Buffer.from(password)
  const encoded = encodeURIComponent(password.toWellFormed())
  const form = new URLSearchParams([['', password]]).toString().slice(1)
  const base64 = [basic, alone].flatMap((bytes) => [bytes.toString('base64'), bytes.toString('base64url')])
  const all = [password, encoded, form, ...base64, ...base64.map((text) => text.replace(/=+$/, ''))]
  return all.map((text) => fold(text.replaceAll(separators, ''))).filter((text) => text.length >= leastLength)
}

/** Percent codes are written in either case. Keeps the length, which `toLowerCase` does not for every language. */
function fold(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function runsOf(spelling: string): string[] {
  if (spelling.length <= runLength) return [spelling]
  return Array.from({ length: spelling.length - runLength + 1 }, (_, at) => spelling.slice(at, at + runLength))
}

/** The text without separators, and where each of its characters was. */
function compacted(text: string): { readonly compact: string; readonly places: readonly number[] } {
  const places: number[] = []
  let from = 0
  const add = (until: number): void => {
    for (; from < until; from += 1) places.push(from)
  }
  for (const { 0: separator, index } of text.matchAll(separators)) {
    add(index)
    from = index + separator.length
  }
  add(text.length)
  return { compact: fold(places.map((place) => text[place]).join('')), places }
}

type Range = { readonly from: number; until: number }

/** Joins ranges that overlap: runs of one secret follow each other by one character. */
function extend(ranges: Range[], from: number, until: number): void {
  const last = ranges.at(-1)
  if (last !== undefined && from <= last.until) last.until = Math.max(last.until, until)
  else ranges.push({ from, until })
}

function cutOut(text: string, ranges: readonly Range[]): string {
  const kept = ranges.map(({ from }, index) => text.slice(ranges[index - 1]?.until ?? 0, from) + mark)
  return kept.join('') + text.slice(ranges.at(-1)?.until ?? 0)
}
