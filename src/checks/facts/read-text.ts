// Reads how much text a page has, and which code blocks, by which the losses of a change are found. Only counts and
// hashes are kept: the facts of a page stay small.

import type { MarkdownPage } from '../../docs-syntax/page.ts'
import type { Range } from '../../docs-syntax/text.ts'
import type { CodeBlock, PageText } from './page-facts.ts'

/** Written without spaces: each character counts as a word. */
const wordless = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/gu
const word = /[\p{L}\p{M}\p{N}]+(?:['’][\p{L}\p{M}\p{N}]+)*/gu
/** Shorter stretches, such as the words between two links, are found on any page. */
const fewestWords = 3
/** A page with more is generated; its losses are then known less exactly. */
const maxStretches = 2_000
const maxBlocks = 1_000
const maxFirstLine = 120
const fence = /^(?:`{3}|~{3})/

export function readText({ prose, code }: Pick<MarkdownPage, 'prose' | 'code'>, source: string): PageText {
  let words = 0
  const stretches: number[] = []
  for (const range of prose) {
    const { count, hash } = readStretch(source, range)
    words += count
    if (count >= fewestWords && stretches.length < 2 * maxStretches) stretches.push(hash, count)
  }
  return {
    words,
    whole: hashWhole(prose, code, source),
    stretches,
    code: code.flatMap(({ start, end }) => toBlock(source.slice(start, end))).slice(0, maxBlocks),
  }
}

/** In the order of the page. Marks of code are markup, and so is the name of its language. */
function hashWhole(prose: readonly Range[], code: readonly Range[], source: string): number {
  let [one, two] = [first, second]
  const blocks = code.map(({ start, end }) => ({
    start: fence.test(source.slice(start, start + 3)) ? afterLine(source, start) : start,
    end,
  }))
  for (const { start, end } of [...prose, ...blocks].toSorted((a, b) => a.start - b.start)) {
    for (let at = start; at < end; at += 1) {
      const unit = source.charCodeAt(at)
      if (unit === backtick || unit === tilde || kindOf(unit) === kinds.blank) continue
      one = mix(one, unit, firstFactor)
      two = mix(two, unit, secondFactor)
    }
  }
  return finish(one, two)
}

function afterLine(source: string, start: number): number {
  const end = source.indexOf('\n', start)
  return end === -1 ? source.length : end
}

const [backtick, tilde] = [96, 126]

/** The words of a stretch, and the hash of its text with one space for all between its parts: in one pass, for it is all text. */
function readStretch(source: string, { start, end }: Range): { readonly count: number; readonly hash: number } {
  let count = 0
  let isInside = false
  let hasHalf = false
  let [one, two] = [first, second]
  let isBegun = false
  let isApart = false
  for (let at = start; at < end; at += 1) {
    const unit = source.charCodeAt(at)
    const kind = kindOf(unit)
    if (kind === kinds.blank) {
      isInside = false
      isApart = isBegun
      continue
    }
    if (isApart) [one, two] = [mix(one, space, firstFactor), mix(two, space, secondFactor)]
    one = mix(one, unit, firstFactor)
    two = mix(two, unit, secondFactor)
    isBegun = true
    isApart = false
    if (kind === kinds.half) hasHalf = true
    if (kind === kinds.single || (kind === kinds.part && !isInside)) count += 1
    const isJoined: boolean =
      isInside && kind === kinds.apostrophe && at + 1 < end && kindOf(source.charCodeAt(at + 1)) === kinds.part
    isInside = kind === kinds.part || isJoined
  }
  return { count: hasHalf ? countAnyWords(source.slice(start, end)) : count, hash: finish(one, two) }
}

const kinds = { other: 1, part: 2, single: 3, apostrophe: 4, half: 5, blank: 6 } as const
/** The kinds of the UTF-16 code units that were met: asking Unicode again takes ten times as long. */
const known = new Uint8Array(65_536)

function kindOf(unit: number): number {
  const kind = known[unit] ?? kinds.other
  if (kind > 0) return kind
  const character = String.fromCharCode(unit)
  if (/\s/.test(character)) known[unit] = kinds.blank
  else if (/['’]/.test(character)) known[unit] = kinds.apostrophe
  else if (/[\uD800-\uDFFF]/.test(character)) known[unit] = kinds.half
  else if (character.search(wordless) === 0) known[unit] = kinds.single
  else known[unit] = character.search(word) === 0 ? kinds.part : kinds.other
  return known[unit] ?? kinds.other
}

/** Also of characters that take two code units. */
function countAnyWords(text: string): number {
  const single = text.match(wordless)?.length ?? 0
  const rest = single === 0 ? text : text.replace(wordless, ' ')
  return single + (rest.match(word)?.length ?? 0)
}

/** Code within a line is no block. */
function toBlock(written: string): CodeBlock[] {
  const isFenced = fence.test(written)
  if (!isFenced && !/^[ \t\r\n]/.test(written)) return []
  const lines = written.split(/\r\n|\r|\n/).slice(isFenced ? 1 : 0)
  // The marks of a container, and the depth of a list, are not part of the code.
  const plain = lines.map((line) => line.replace(/^[\s>]+/, '').trimEnd()).filter((line) => line !== '')
  if (isFenced && /^(?:`{3,}|~{3,})$/.test(plain.at(-1) ?? '')) plain.pop()
  const [first] = plain
  return first === undefined
    ? []
    : [{ first: first.slice(0, maxFirstLine), hash: hashOf(plain.join('\n')), lines: plain.length }]
}

/** 53 bits (cyrb53): two of a million stretches are alike once in 18,000 repositories. */
function hashOf(text: string): number {
  let [one, two] = [first, second]
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    one = mix(one, unit, firstFactor)
    two = mix(two, unit, secondFactor)
  }
  return finish(one, two)
}

const [first, second] = [0xdeadbeef, 0x41c6ce57]
const [firstFactor, secondFactor] = [2_654_435_761, 1_597_334_677]
const space = 32

function mix(hash: number, unit: number, factor: number): number {
  return Math.imul(hash ^ unit, factor)
}

function finish(one: number, two: number): number {
  const left = Math.imul(one ^ (one >>> 16), 2_246_822_507) ^ Math.imul(two ^ (two >>> 13), 3_266_489_909)
  const right = Math.imul(two ^ (two >>> 16), 2_246_822_507) ^ Math.imul(left ^ (left >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & right) + (left >>> 0)
}
