// The campaign of a link that led to a page view: the parameters of its query that name one, in one text. Any other parameter is
// dropped. Pure.

import { decodePercent } from '../../lib/plain-text.ts'
import { findShapes } from '../../lib/outbound/secret-shapes.ts'
import { campaignParameters } from '../collect/target/kept-query.ts'
import { toPart, valueOf } from './campaign-parts.ts'

const redacted = '(redacted)'
const patterns = campaignParameters.map((name) => ({ name, pattern: new RegExp(`[?&]${name}=([^&]*)`, 'i') }))

/** `utm_source=newsletter&utm_campaign=launch`, in the order of `campaignParameters`. Empty: no campaign. */
export function campaignOf(query: string): string {
  if (query === '') return ''
  return patterns
    .flatMap(({ name, pattern }) => {
      const [, raw] = pattern.exec(query) ?? []
      const value = raw === undefined ? '' : toValue(decodePercent(raw.replaceAll('+', ' ')))
      return value === '' ? [] : [toPart(name, value)]
    })
    .join('&')
}

/** An e-mail address or a secret in a link says who somebody is. */
function toValue(text: string): string {
  return text.includes('@') || findShapes(text).length > 0 ? redacted : valueOf(text)
}
