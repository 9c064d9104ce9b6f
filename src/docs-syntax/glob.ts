// Matches repository paths against globs as git does: `*` and `?` do not match a slash, `**` matches any folders. Steps
// through sets of states instead of using a regular expression, so matching takes linear time.

import { Failure } from '../lib/failure.ts'

/** `folders` followed by `inside` represents `**` with a slash: any number of whole folders, including zero. */
type Token =
  | { readonly kind: 'character'; readonly value: string }
  | { readonly kind: 'one' | 'many' | 'folders' | 'inside' | 'rest' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly members: string }

const maxLength = 500
const maxAlternatives = 64

/**
 * Expands a glob as people write it into plain globs without braces. `*.mdx` matches in any folder, `guides/` and `guides`
 * match everything in the folder, a leading `/` or `./` is ignored, and `{a,b}` becomes two globs. Throws `invalid_input`.
 */
export function toGlobs(glob: string): string[] {
  if (glob.length > maxLength) throw new Failure('invalid_input', `A glob has at most ${maxLength} characters.`)
  return expandBraces(glob.trim().replace(/^\.?\//, '')).flatMap((plain) => {
    if (plain === '' || plain === '.') return ['**']
    if (plain.endsWith('/')) return [`${plain}**`]
    const anywhere = plain.includes('/') ? plain : `**/${plain}`
    return /(?<!\\)[*?[]/.test(plain) ? [anywhere] : [anywhere, `${anywhere}/**`]
  })
}

/** Plain globs. A path fits if one of `wanted` fits, or that list is empty, and no glob of `unwanted` fits. */
export type Selection = { readonly wanted: readonly string[]; readonly unwanted: readonly string[] }

/**
 * Reads globs as people write them: several with commas between them, and `!` before one that leaves files out.
 * `exclude` leaves out what fits; its `!` has no effect. Throws `invalid_input`.
 */
export function toSelection(glob: string | undefined, exclude?: string): Selection {
  const given = glob === undefined ? [] : splitGlobs(glob)
  const isOut = (one: string): boolean => one.startsWith('!')
  const without = [...given.filter(isOut), ...(exclude === undefined ? [] : splitGlobs(exclude))]
  return {
    wanted: given.filter((one) => !isOut(one)).flatMap(toGlobs),
    unwanted: without.map((one) => one.replace(/^!\s*/, '')).flatMap(toGlobs),
  }
}

export function createSelector({ wanted, unwanted }: Selection): (path: string) => boolean {
  const fits = wanted.length === 0 ? () => true : createGlobMatcher(wanted)
  const isOut = unwanted.length === 0 ? () => false : createGlobMatcher(unwanted)
  return (path) => fits(path) && !isOut(path)
}

/** Splits at commas outside braces, and expands braces that have a `!` in them. */
function splitGlobs(glob: string): string[] {
  if (glob.length > maxLength) throw new Failure('invalid_input', `A glob has at most ${maxLength} characters.`)
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= glob.length; at += 1) {
    if (glob[at] === '\\' && at + 1 < glob.length) at += 1
    else if (glob[at] === '{') depth += 1
    else if (glob[at] === '}') depth = Math.max(0, depth - 1)
    else if (at === glob.length || (glob[at] === ',' && depth === 0)) {
      parts.push(glob.slice(start, at).trim())
      start = at + 1
    }
  }
  if (depth > 0) return [glob.trim()]
  return parts
    .filter((part) => part !== '')
    .flatMap((part) => (part.includes('{!') || part.includes(',!') ? expandBraces(part) : [part]))
}

/** Escapes the characters of a path that are special in a glob. */
export function escapeGlob(path: string): string {
  return path.replace(/[\\*?[\]{},]/g, '\\$&')
}

/** Returns a function that reports whether a path matches one of the plain globs. */
export function createGlobMatcher(globs: readonly string[]): (path: string) => boolean {
  const compiled = globs.map((glob) => {
    const tokens = tokenise(glob)
    return { tokens, part: longestPart(tokens) }
  })
  return (path) => compiled.some(({ tokens, part }) => path.includes(part) && matches(tokens, path))
}

/** The longest text that is in every path that matches: most paths have it not, and need no other look. */
function longestPart(tokens: readonly Token[]): string {
  const parts = ['']
  for (const token of tokens) {
    if (token.kind === 'character') parts.push(`${parts.pop()}${token.value}`)
    else parts.push('')
  }
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest))
}

function expandBraces(glob: string): string[] {
  const done: string[] = []
  const waiting = [glob]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const braces = /(?<!\\)\{((?:[^{}\\]|\\.)*)\}/.exec(next)
    if (braces) {
      const before = next.slice(0, braces.index)
      const after = next.slice(braces.index + braces[0].length)
      const alternatives = (braces[1] ?? '').split(/(?<!\\),/)
      waiting.push(...alternatives.map((one) => before + one + after).toReversed())
    } else done.push(next)
    if (done.length + waiting.length > maxAlternatives)
      throw new Failure('invalid_input', `A glob has at most ${maxAlternatives} alternatives.`)
  }
  return done
}

function tokenise(glob: string): Token[] {
  const pieces = glob.matchAll(
    /(?<folders>(?<![^/])\*\*\/)|(?<rest>(?<![^/])\*\*$)|\*+|\?|\\[^]|\[[!^]?\]?[^\]]*\]|[^]/gu,
  )
  return Array.from(pieces).flatMap(({ 0: piece, groups }): Token[] => {
    if (groups?.['folders'] !== undefined) return [{ kind: 'folders' }, { kind: 'inside' }]
    return [groups?.['rest'] === undefined ? toToken(piece) : { kind: 'rest' }]
  })
}

function toToken(piece: string): Token {
  if (piece.startsWith('*')) return { kind: 'many' }
  if (piece === '?') return { kind: 'one' }
  if (piece.length > 2 && piece.startsWith('[')) {
    const members = piece.slice(1, -1)
    const negated = /^[!^]/.test(members)
    return { kind: 'class', negated, members: negated ? members.slice(1) : members }
  }
  return { kind: 'character', value: piece.length > 1 && piece.startsWith('\\') ? piece.slice(1) : piece }
}

function matches(tokens: readonly Token[], path: string): boolean {
  let states = reach(tokens, [0])
  for (const character of path) {
    const next = [...states].flatMap((state) => step(tokens, state, character))
    if (next.length === 0) return false
    states = reach(tokens, next)
  }
  return states.has(tokens.length)
}

/** Returns the states and all states that can be reached from them without reading a character. */
function reach(tokens: readonly Token[], from: readonly number[]): Set<number> {
  const states = new Set<number>()
  for (const start of from) {
    let state = start
    while (!states.has(state)) {
      states.add(state)
      const kind = tokens[state]?.kind
      if (kind === 'many' || kind === 'rest') state += 1
      else if (kind === 'folders') state += 2
    }
  }
  return states
}

/** Returns the states that follow a state after reading a character. */
function step(tokens: readonly Token[], state: number, character: string): readonly number[] {
  const token = tokens[state]
  if (!token) return []
  switch (token.kind) {
    case 'character':
      return token.value === character ? [state + 1] : []
    case 'rest':
      return [state]
    case 'inside':
      return [character === '/' ? state - 1 : state]
    case 'many':
      return character === '/' ? [] : [state]
    case 'one':
    case 'folders':
      return character === '/' ? [] : [state + 1]
    case 'class':
    default:
      return character !== '/' && token.negated !== isMember(token.members, character) ? [state + 1] : []
  }
}

function isMember(members: string, character: string): boolean {
  for (let index = 0; index < members.length; index++) {
    const first = members[index] ?? ''
    const last = members[index + 2]
    if (members[index + 1] === '-' && last !== undefined) {
      if (first <= character && character <= last) return true
      index += 2
    } else if (first === character) return true
  }
  return false
}
