// `stale-value`: a documented default or limit beside a name, where the line that defines the name has another literal now, and had
// the documented one before.

import { readTerms } from '../../docs-syntax/terms/code-terms.ts'
import { termKeys } from '../../docs-syntax/terms/term-keys.ts'
import type { SitePage } from '../rules/site-page.ts'
import { definitionOf } from './sources/definition.ts'
import type { PageLines } from './excused.ts'

/** `literal`: as code has it, without quotes. */
export type DocumentedValue = {
  readonly page: SitePage
  readonly line: number
  readonly name: string
  readonly key: string
  readonly literal: string
}

/** A default of the product as a line of its code gives it. `frame`: the line without the literal. */
type Frame = { readonly before: Set<string>; readonly now: Set<string> }

const literal =
  '`?["\'“]?(-?\\d[\\d_.,]*(?:\\.\\d+)*(?:\\s?[a-zA-Zµ%]{1,3}\\b)?|true|false|"[^"`]{1,40}"|[\\w./-]{2,40}(?=["\'”]?`))["\'”]?`?'
const stated = new RegExp(
  String.raw`\b(?:defaults?|default value|maximum|minimum|limit)\b(?:[*_\s]*(?:value|is|of|to|are|:|=|\())*[*_\s]*${literal}`,
  'i',
)
const named = /`([^`\n]{3,60})`|\*\*([\w.-]{3,60})\*\*/g
const shortest = 5
/** Between a name and its value. */
const mostBetween = 160
const written =
  /(?<![\w.])(-?\d[\d_]*(?:\.\d+)*)(?![\w.])|\b(true|false|True|False)\b|"([^"\n]{1,60})"|'([^'\n]{1,60})'/g

/** The values that lines state beside exactly one name. */
export function valuesIn(page: SitePage, text: PageLines): DocumentedValue[] {
  return text.lines.flatMap((line, at) => {
    const found = stated.exec(line)
    if (!found?.[1]) return []
    const before = line.slice(Math.max(0, found.index - mostBetween), found.index)
    const names = Array.from(before.matchAll(named), ({ 1: code, 2: bold }) => code ?? bold ?? '')
    const [name = '', ...more] = names.flatMap((one) => (isName(one) ? [one] : []))
    const { whole, segments } = termKeys(name)
    const key = segments.at(-1) ?? whole
    if (key.length < shortest || more.length > 0 || text.isPast(at + 1)) return []
    return [{ page, line: at + 1, name, key, literal: plainLiteral(found[1]) }]
  })
}

function isName(text: string): boolean {
  const [term, ...more] = readTerms(text)
  return (
    term?.text === text &&
    more.length === 0 &&
    (term.kind === 'name' || term.kind === 'flag' || term.kind === 'variable' || term.kind === 'word')
  )
}

export type ValueLines = {
  /** A line of the file that has the name. */
  take(line: { readonly path: string; readonly key: string; readonly text: string; readonly isNow: boolean }): void
  /** Returns what the documented value is now, or undefined if that is not clear. */
  valueNow(value: DocumentedValue): { readonly literal: string; readonly path: string } | undefined
}

export function createValueLines(): ValueLines {
  const byKey = new Map<string, Map<string, Frame & { readonly path: string }>>()
  return {
    take: ({ path, key, text, isNow }) => {
      if (definitionOf(key, text) === undefined) return
      const literals = Array.from(text.matchAll(written)).filter((one) => !termKeys(one[0]).whole.includes(key))
      const [only, ...more] = literals
      if (!only || more.length > 0) return
      const frame = `${path}\n${text.slice(0, only.index).trimStart()}\u0000${text.slice(only.index + only[0].length)}`
      const frames = byKey.get(key) ?? new Map<string, Frame & { readonly path: string }>()
      byKey.set(key, frames)
      const known = frames.get(frame) ?? { path, before: new Set<string>(), now: new Set<string>() }
      frames.set(frame, known)
      ;(isNow ? known.now : known.before).add(plainLiteral(only[0]))
    },
    valueNow: ({ key, literal: documented }) => {
      const frames = [...(byKey.get(key)?.values() ?? [])]
      if (frames.some(({ now }) => now.has(documented))) return undefined
      const changed = frames.filter(({ before, now }) => before.has(documented) && now.size > 0)
      const values = new Set(changed.flatMap(({ now }) => [...now]))
      const [value] = values
      return value === undefined || values.size > 1 ? undefined : { literal: value, path: changed[0]?.path ?? '' }
    },
  }
}

function plainLiteral(text: string): string {
  const bare = text.replace(/^["'“`]|["'”`]$/g, '').trim()
  return /^-?[\d_,]+$/.test(bare) ? bare.replace(/[_,]/g, '') : bare.toLowerCase()
}
