// The ids of headings on an Antora site, as `Section.generate_id` of Asciidoctor makes them. A playbook in another repository
// may set how they begin and what joins their words, so unless both settings are known, ids that differ only in that are the
// same.

import { createAttributes, type SiteAttributes, substitute } from '../../docs-syntax/asciidoc/attributes.ts'
import { secondId, toSectionId } from '../../docs-syntax/asciidoc/ids.ts'
import type { SlugRule } from '../slugs.ts'

export function antoraIds(attributes: SiteAttributes): SlugRule {
  const table = createAttributes(attributes)
  const [prefix, separator] = [table.get('idprefix'), table.get('idseparator')]
  const isKnown = prefix !== undefined && separator !== undefined
  const rule = { prefix: prefix ?? '', separator: separator ?? '-' }
  return {
    separator: rule.separator === '_' ? '_' : '-',
    second: secondId,
    slug: (text) => /\{#([\w.:-]+)\}$/.exec(text)?.[1] ?? toSectionId(substitute(text, table), rule),
    ...(isKnown ? {} : { normalise: (name: string) => name.replace(/^_+/, '').replace(/[_-]+/g, '-') }),
  }
}
