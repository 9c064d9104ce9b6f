// Parses instructions about what the check finds: fix broken links, and add pages that the navigation lacks.

import type { FixProblems, ListPages } from '../instruction.ts'
import { forms, isEnd, match, skip } from './forms.ts'
import type { Masked } from './masked.ts'
import { type PlaceKind, type Places, readPlace } from './places.ts'
import type { Token } from './tokens.ts'
import { countUpkeep } from './upkeep.ts'

const fix = 'fix|repair|correct|resolve'
const nav = 'navigation|nav|sidebar|menu|sidebars|toc'
const what = 'internal|relative'
const nouns = 'links|link|anchors|anchor|images|image|references|navigation|fragments'
const fixing = forms(
  `${fix} ?of broken|dead|missing|wrong|invalid ?${what} what=${nouns}`,
  `${fix} links|link that ?lead|leads|point|go|are|do|don't ?not nowhere|broken|dead|work`,
  `${fix} what=problems|errors|findings|issues ?that ?of|in|from|by ?check|checks|docent ?finds|found|find|reports|lists ?check`,
  `${fix} what=what ?docent check|checks finds|found|find|reports|lists`,
)
const more = forms(`broken|dead|missing|wrong|invalid what=${nouns}`, `what=${nouns}`)
const put = 'add|list|put|include'
const toNav = `?to|into ?${nav} ?entries|it`
const listing = forms(
  `${put} missing|unlisted|orphan|orphaned|forgotten pages|page|ones to|in|into ${nav}`,
  `${put} pages|page ?that ?are|is missing|absent from|in ${nav} ${toNav}`,
  `${put} pages|page ?that ${nav} lacks|misses|lack|omits ${toNav}`,
  `${put} pages|page ?that ${nav} does|do|doesn't|don't ?not list|name|have|include|contain|mention ${toNav}`,
  `${put} unlisted|orphan|orphaned pages|page`,
  `complete ${nav}`,
)
const nothing = forms(
  'everywhere',
  `in|of|on|across|throughout *all|whole|entire|our docs|documentation|site|pages|repository|repo`,
)
const joints = new Set([',', ';', ':', '(', ')', 'and'])

const kinds: Readonly<Record<string, readonly string[]>> = {
  link: ['link', 'anchor', 'navigation'],
  anchor: ['anchor'],
  fragment: ['anchor'],
  image: ['image'],
  reference: ['link', 'anchor', 'navigation', 'image', 'include', 'import', 'reference'],
  navigation: ['navigation'],
}

/** Returns undefined for another instruction, or if a part of it is not understood. */
export function parseProblems(tokens: readonly Token[], masked: Masked): FixProblems | ListPages | undefined {
  const places: Places = { scopes: [], including: [] }
  const context = { masked, places }
  const lead = readPlace(tokens, 0, undefined, context)
  const start = lead ? skip(tokens, lead.end, joints) : 0
  const list = match(listing, tokens, start)
  const isList = list && isEnd(tokens, readPlaces(tokens, list.end, context))
  if (isList) return { kind: 'list', ...places }
  const first = match(fixing, tokens, start)
  if (!first) return undefined
  const named = [textOf(first.found['what'])]
  let end = first.end
  for (let at = skip(tokens, end, joints); named[0] !== ''; at = skip(tokens, end, joints)) {
    const next = isProblem(named[0]) ? undefined : match(more, tokens, at)
    if (!next) break
    named.push(textOf(next.found['what']))
    end = next.end
  }
  if (!isEnd(tokens, readPlaces(tokens, end, context))) return undefined
  return { kind: 'fix', ...toKinds(named), ...places }
}

type Context = { readonly masked: Masked; readonly places: Places }

/** Returns the index after all places. */
function readPlaces(tokens: readonly Token[], start: number, context: Context): number {
  let before: PlaceKind
  for (let at = skip(tokens, start, joints); ;) {
    const plain = match(nothing, tokens, at)
    const place = plain ? undefined : readPlace(tokens, at, before, context)
    const end = (plain ?? place)?.end ?? at + countUpkeep(tokens, at)
    if (end === at) return at
    before = place?.kind
    at = skip(tokens, end, joints)
  }
}

function toKinds(named: readonly string[]): Pick<FixProblems, 'problems' | 'noun'> {
  const [first = ''] = named
  if (isProblem(first)) return { problems: [], noun: 'problem' }
  const all = named.map((name) => (name === '' ? 'link' : name.replace(/s$/, '')))
  const problems = [...new Set(all.flatMap((name) => kinds[name] ?? []))]
  const [only = 'link'] = all
  const isPlain = all.length === 1 && (only === 'link' || only === 'anchor' || only === 'image')
  return { problems, noun: isPlain ? `broken ${only}` : 'problem' }
}

function isProblem(name: string | undefined): boolean {
  return /^(?:problems|errors|findings|issues|what)$/.test(name ?? '')
}

function textOf(tokens: readonly Token[] = []): string {
  return tokens[0]?.text ?? ''
}
