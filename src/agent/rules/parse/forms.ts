// Sentence forms, written as text, and the matcher that applies them to tokens. An element of a form is a list of words
// (`to|with`) or a kind of token (`@quote`). `?` makes it optional, `*` allows any number, and `name=` captures the match.
// Fillers (`the`, `please`, …) may come before every element. The matcher never backtracks, so it takes linear time.

import type { Token } from './tokens.ts'

/** Returns how many consecutive tokens from `at` on are of this kind. */
type Kind = (tokens: readonly Token[], at: number) => number
type Element = { readonly name: string; readonly mode: string; readonly take: Kind }
export type Form = readonly Element[]
export type Match = { readonly end: number; readonly found: Readonly<Record<string, readonly Token[] | undefined>> }

const fillers = new Set(
  'the a an all every each any both our whole entire please kindly also only just even too now accordingly'.split(' '),
)
const extension = /\.(?:mdx?|markdown|svg|png|jpe?g|gif|webp|avif|ico|pdf|mp4|json|ya?ml)$/
const joints = new Set(['to', 'with', 'by'])

const kinds: Readonly<Record<string, Kind>> = {
  quote: one(({ kind }) => kind === 'quote'),
  block: one(({ kind }) => kind === 'quote' || kind === 'fence'),
  word: one((token) => token.kind === 'word' && !isFiller(token)),
  scalar: one(({ kind, text }) => kind === 'quote' || /^(?:true|false|\d+)$/.test(text)),
  place: one((token) => token.kind === 'quote' || isPlace(token)),
  address: one(isAddress),
  addresses: (tokens, at) => {
    let end = at
    for (
      let next = at;
      isAddress(tokens[next]) || (next === at && isPlace(tokens[next]));
      next = skip(tokens, end, list)
    )
      end = next + 1
    return end - at
  },
  scope: one(
    (token) => isAddress(token) || (token.kind === 'word' && /^[\w@./*{}[\],-]*\*[\w@./*{}[\],-]*$/.test(token.text)),
  ),
  field: (tokens, at) => {
    if (tokens[at]?.text === 'sidebar' && tokens[at + 1]?.text === 'title') return 2
    const token = tokens[at]
    if (!token || isFiller(token)) return 0
    return token.kind === 'quote' || /^[\w:.-]+$/.test(token.text) ? 1 : 0
  },
  name: (tokens, at) => countName(tokens, at, ({ text }) => !joints.has(text)),
  title: (tokens, at) => countName(tokens, at, ({ isCapital, text }) => isCapital || /^\d/.test(text)),
  rest: (tokens, at) => tokens.length - at,
}

export const list = new Set([',', 'and'])

export function forms(...sources: readonly string[]): readonly Form[] {
  return sources.map((source) => source.trim().split(/\s+/).map(toElement))
}

/** Returns the first form that matches the tokens from `at` on. Tokens after the match are allowed. */
export function match(all: readonly Form[], tokens: readonly Token[], at = 0): Match | undefined {
  for (const form of all) {
    const found = matchForm(form, tokens, at)
    if (found) return found
  }
  return undefined
}

/** Whether only fillers and punctuation follow. */
export function isEnd(tokens: readonly Token[], at: number): boolean {
  for (let next = at; next < tokens.length; next += 1) {
    const token = tokens[next]
    if (token && token.kind !== 'mark' && !isFiller(token)) return false
  }
  return true
}

export function isFiller({ kind, text, isCapital }: Token): boolean {
  return kind === 'word' && !isCapital && fillers.has(text)
}

/** Returns the index of the next token that is neither a filler nor one of these words. */
export function skip(tokens: readonly Token[], at: number, words: ReadonlySet<string>): number {
  let next = at
  for (let token = tokens[next]; token && (words.has(token.text) || isFiller(token)); token = tokens[next]) next += 1
  return next
}

export function hasExtension(path: string): boolean {
  return extension.test(path.toLowerCase())
}

function toElement(source: string): Element {
  const [, mode = '', name = '', what = ''] = /^([?*]?)(?:(\w+)=)?(.+)$/.exec(source) ?? []
  const words = new Set(what.split('|'))
  const take = what.startsWith('@')
    ? kinds[what.slice(1)]
    : one(({ kind, text }) => kind !== 'quote' && words.has(text))
  if (!take) throw new TypeError(`There is no kind of token ${what}.`)
  return { name, mode, take }
}

function matchForm(form: Form, tokens: readonly Token[], start: number): Match | undefined {
  const found: Record<string, readonly Token[]> = {}
  let at = start
  for (const { name, mode, take } of form) {
    for (let more = true; more; more = mode === '*') {
      const [from, count] = takeNext(take, tokens, at)
      if (count === 0 && mode === '') return undefined
      if (count === 0) break
      if (name !== '') found[name] = tokens.slice(from, from + count)
      at = from + count
    }
  }
  return { end: at, found }
}

/** Skips fillers and takes the element. A filler that the element itself names is not skipped. */
function takeNext(take: Kind, tokens: readonly Token[], at: number): readonly [from: number, count: number] {
  let from = at
  for (let token = tokens[from]; token && isFiller(token) && take(tokens, from) === 0; token = tokens[from]) from += 1
  return [from, from < tokens.length ? take(tokens, from) : 0]
}

function one(accepts: (token: Token) => boolean): Kind {
  return (tokens, at) => (tokens[at] && accepts(tokens[at]) ? 1 : 0)
}

function countName(tokens: readonly Token[], at: number, continues: (token: Token) => boolean): number {
  if (tokens[at]?.isCapital !== true) return 0
  const rest = tokens.slice(at + 1, at + 6)
  const end = rest.findIndex((token) => token.kind !== 'word' || !continues(token))
  return 1 + (end === -1 ? rest.length : end)
}

function isPlace(token: Token | undefined): boolean {
  return token?.kind === 'word' && !isFiller(token) && /^[\w@~./()[\]+-]+$/.test(token.text)
}

function isAddress(token: Token | undefined): boolean {
  return (
    token?.kind === 'quote' ||
    (token !== undefined && isPlace(token) && (token.text.includes('/') || hasExtension(token.text)))
  )
}
