// Prefixes that may make a text fit a pattern. They are candidates: each is judged before it is suggested. Pure.

import { startOf } from '../../lib/plain-text.ts'

const longest = 200

/** Reads the literal beginning of a pattern: `docs: ` of `^(feat|docs)(\(.+\))?: .+`. Empty if there is no such beginning. */
export function literalPrefix(pattern: string): string {
  let text = ''
  let rest = startOf(pattern.replace(/^(?:\(\?[a-z]+\))?(?:\\A|\^)?/, ''), longest)
  while (rest !== '') {
    const part = readPart(rest)
    if (part === undefined) return text
    rest = rest.slice(part.length)
    if (/^[?*]/.test(rest)) rest = rest.slice(1)
    else if (rest.startsWith('{')) return text
    else text += part.literal
    if (rest.startsWith('+')) rest = rest.slice(1)
  }
  return text
}

type Part = { readonly literal: string; readonly length: number }

function readPart(text: string): Part | undefined {
  const [first = '', second = ''] = text
  if (first === '\\') {
    if (second === 's') return { literal: ' ', length: 2 }
    return /[^\w]/.test(second) ? { literal: second, length: 2 } : undefined
  }
  if (first === '(') return readGroup(text)
  return /[.*+?$|[\]{})^]/.test(first) ? undefined : { literal: first, length: 1 }
}

/** A group of plain words: one that suits documentation, or the first. An optional group may hold anything. */
function readGroup(text: string): Part | undefined {
  const end = endOfGroup(text)
  if (end === undefined) return undefined
  const words = text.slice(1, end).replace(/^\?:/, '').split('|')
  const [word] = [...suitable.filter((one) => words.includes(one)), ...words]
  const isPlain = words.every((one) => /^[\w -]*$/.test(one))
  if (!isPlain && !/^[?*]/.test(text.slice(end + 1))) return undefined
  return { literal: isPlain ? (word ?? '') : '', length: end + 1 }
}

function endOfGroup(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '(') depth += 1
    else if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return undefined
}

const suitable = ['docs', 'doc', 'chore', 'feature']
const usual = {
  message: ['docs: ', 'chore: ', 'docs(site): ', '[docs] '],
  branch: ['docs/', 'feature/', 'feature/docs-', 'chore/', 'bot/'],
} as const

export function prefixCandidates(of: keyof typeof usual, patterns: readonly string[]): readonly string[] {
  const ends = of === 'message' ? ['', ' ', ': '] : ['', '/', '-']
  const literals = patterns.map(literalPrefix).filter((literal) => literal !== '')
  const own = literals.flatMap((literal) => ends.map((end) => literal + end))
  // A prefix that ends with a space keeps the words apart.
  const sorted = of === 'message' ? [...own.filter((one) => one.endsWith(' ')), ...own] : own
  return [...new Set([...sorted, ...usual[of]])]
}
