// Parses where an instruction applies: in pages and folders, and in what is otherwise left alone (`including translations`).

import type { LeftKind } from '../left-alone/left-alone.ts'
import { forms, match } from './forms.ts'
import type { Masked } from './masked.ts'
import type { Token } from './tokens.ts'

export type Places = { readonly scopes: string[]; readonly including: LeftKind[] }

/** The words before it: `in guides/x.mdx and cli/y.mdx` has two scopes. */
export type PlaceKind = 'scope' | 'including' | undefined

const folder = 'folder|directory|section|page|file|pages|files'
const scopes = forms(
  `in|within|under|inside|on|across|for|throughout *${folder}|docs|of|in|under scope=@scope ?${folder}`,
  `in|within|under|inside|on|across|for|throughout scope=@word folder|directory|section|page`,
)
const moreScopes = forms(`?in scope=@scope ?${folder}`, '?in scope=@word folder|directory|section|page')
const kinds =
  'translations|translation|languages|translated|generated|changelog|changelogs|released|releases ?pages|files|entries|page|file|changelog|changelogs'
const including = forms(
  `including|include|plus ?in ?other kind=${kinds}`,
  'in|across|for all|every|each ?other kind=languages|language|translations',
)
const moreIncluding = forms(`?in ?other kind=${kinds}`)

/** Adds the place at `at`. Returns undefined if the tokens name no place. */
export function readPlace(
  tokens: readonly Token[],
  at: number,
  before: PlaceKind,
  { masked, places }: { readonly masked: Masked; readonly places: Places },
): { readonly kind: PlaceKind; readonly end: number } | undefined {
  const kind = match(including, tokens, at) ?? (before === 'including' ? match(moreIncluding, tokens, at) : undefined)
  if (kind) {
    places.including.push(toKind(kind.found['kind']?.[0]?.text ?? ''))
    return { kind: 'including', end: kind.end }
  }
  const scope = match(scopes, tokens, at) ?? (before === 'scope' ? match(moreScopes, tokens, at) : undefined)
  if (!scope) return undefined
  places.scopes.push(masked.raw(scope.found['scope'] ?? []))
  return { kind: 'scope', end: scope.end }
}

function toKind(word: string): LeftKind {
  if (word === 'generated') return 'generated'
  return /^(?:translat|language)/.test(word) ? 'translations' : 'released'
}
