// Decides what an instruction leaves alone unless it names it: translations, which have their own writers; generated files, which the
// next build overwrites; and the released entries of a changelog.

import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { Range } from '../../../docs-syntax/text.ts'
import { amount, listed } from '../words.ts'
import { releasedRanges } from './released.ts'
import type { Translations } from '../../../sites/translations.ts'
import { startOf } from '../../../lib/plain-text.ts'

export const leftKinds = ['translations', 'generated', 'released'] as const
export type LeftKind = (typeof leftKinds)[number]

/** Where an instruction applies. */
export type Asked = {
  /** Pages, folders or globs; empty: everywhere. */
  readonly scopes: readonly string[]
  /** The kinds that it applies to without naming a place: `including translations`. */
  readonly including: readonly LeftKind[]
}

/** `ranges`: the parts that stay; the whole text for a file that is left alone altogether. */
export type LeftAlone = { readonly kind: LeftKind; readonly ranges: readonly Range[] }

const headCharacters = 600
const comments = /<!--[^]*?(?:-->|$)|\{?\/\*[^]*?(?:\*\/|$)|^\/\/.*$|^\[\/\/\]:.*$/gm
const matter = /^---\n[^]*?\n---/
const generated = /\b(?:auto-?|automatically )?generated\b|\bdo not (?:edit|modify|change)\b/i
const said =
  /\bthis (?:file|page|document|section|reference) (?:is|was|has been) (?:auto-?|automatically )?generated\b|\bdo not edit (?:this|it|by hand|manually|directly)\b/i
/** The field that the OpenAPI plugin of Docusaurus writes into each of its pages. */
const ownField = /^info_path:/m
const generatedName = /\.(?:min|generated|gen)\.\w+$|(?:^|\/)(?:llms(?:-full)?\.txt|[^/]*lock\.(?:json|ya?ml))$/i

/** Returns undefined for a file that the instruction may change everywhere. */
export function findLeftAlone(
  { path, text }: { readonly path: string; readonly text: string },
  translations: Translations,
  { scopes, including }: Asked,
): LeftAlone | undefined {
  const whole = [{ start: 0, end: text.length }]
  const isAsked = (kind: LeftKind, place: string) =>
    including.includes(kind) || scopes.some((scope) => isWithin(place, scope))
  const translation = translations(path)
  if (translation !== undefined && !isAsked('translations', translation)) return { kind: 'translations', ranges: whole }
  if (isGenerated(path, text) && !isAsked('generated', path)) return { kind: 'generated', ranges: whole }
  if (!isPagePath(path) || isAsked('released', path)) return undefined
  const ranges = releasedRanges(path, text)
  return ranges.length === 0 ? undefined : { kind: 'released', ranges }
}

export function isInside({ start, end }: Range, { ranges }: LeftAlone): boolean {
  return ranges.some((range) => range.start <= start && end <= range.end)
}

/** Says what was left alone, and how to ask for it. `paths`: the files of each kind. */
export function describeLeftAlone(what: string, paths: ReadonlyMap<LeftKind, readonly string[]>): string[] {
  return leftKinds.flatMap((kind) => {
    const names = paths.get(kind) ?? []
    if (names.length === 0) return []
    const places = {
      translations: `${amount(names.length, 'translated page')} (${listed(names)})`,
      generated: `${amount(names.length, 'generated file')} (${listed(names)})`,
      released: `released entries of ${listed(names)}`,
    }[kind]
    const words = { translations: 'translations', generated: 'generated files', released: 'changelogs' }[kind]
    return [`${what} in ${places} was left as it is. To change it, add “including ${words}”.`]
  })
}

/** A note at the top that a program wrote the file, or a name that only programs give. */
export function isGenerated(path: string, text: string): boolean {
  if (generatedName.test(path)) return true
  const head = startOf(text, headCharacters)
  const fields = matter.exec(head)?.[0] ?? ''
  const notes = [...(head.match(comments) ?? []), ...(fields.match(/^#.*$/gm) ?? [])]
  return ownField.test(fields) || said.test(head) || notes.some((note) => generated.test(note))
}

/** Whether the place that a message names is this one, or inside it. */
function isWithin(place: string, scope: string): boolean {
  const name = scope.replace(/^\.?\/+|\/+(?:\*+)?$/g, '')
  const bare = place.replace(/\.\w+$/, '')
  return [place, bare].some((one) => name === one || name.startsWith(`${one}/`) || one.endsWith(`/${name}`))
}
