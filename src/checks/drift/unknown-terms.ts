// `unknown-term`: `acme.Mounts` beside `acme.Client`, `acme.Server` and others that the product has, if no revision of any source ever
// had `Mounts`. Only where the whole history was compared.

import type { Finding } from '../finding.ts'
import type { Documented } from './documented.ts'
import type { Looked } from './looked.ts'
import { findLine } from './places.ts'

/** So many others in the same form must be known, and this share of all. */
const mostUnknown = 0.1
const fewestKnown = 5

export async function findUnknownTerms({ terms, pins, pasts, linesOf }: Looked): Promise<Finding[]> {
  if (pasts.length === 0 || pasts.some(({ isWhole }) => !isWhole)) return []
  const findings: Finding[] = []
  for (const [owner, members] of Map.groupBy(terms.values(), ownerOf)) {
    if (owner === undefined || !pins.isOwn(owner)) continue
    const isKnown = ({ segments }: Documented) => {
      const [key = ''] = segments.at(-1)?.keys ?? []
      return pins.hasName(key) || pasts.some(({ names }) => names.of(key).length > 0)
    }
    const unknown = members.filter((member) => !isKnown(member))
    if (members.length - unknown.length < fewestKnown || unknown.length > members.length * mostUnknown) continue
    for (const term of unknown) {
      const name = term.segments.at(-1)
      for (const page of new Set(term.places.map((place) => place.page))) {
        const lines = await linesOf(page)
        const line = name && !lines.isOwn(name.text) ? findLine(term.text, lines) : undefined
        if (line === undefined) continue
        const message = `names ${term.text}, which no revision of ${pasts.map(({ source }) => source.name).join(', ')} has`
        findings.push({ kind: 'unknown-term', path: page.path, line, target: term.text, message })
      }
    }
  }
  return findings
}

/** The key of `acme` in `acme.Mounts`; undefined for terms in other forms. */
function ownerOf({ text, kind, segments, isInline }: Documented): string | undefined {
  if (kind !== 'name' || !isInline || !/^\w+(?:\.|::)\w+$/.test(text) || segments.length !== 2) return undefined
  return segments[0]?.keys[0]
}
