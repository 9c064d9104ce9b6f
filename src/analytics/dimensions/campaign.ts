// The campaign of a link that led to a page view: the parameters of its query that name one, in one text. Any other parameter is
// dropped. Pure.

import { findShapes } from '../../lib/outbound/secret-shapes.ts'
import { campaignParameters } from '../collect/target/kept-query.ts'
import { decodeValue, toPart, valueOf } from './campaign-parts.ts'

const redacted = '(redacted)'

/** `utm_source=newsletter&utm_campaign=launch`, in the order of `campaignParameters`. Empty: no campaign. */
export function campaignOf(query: string): string {
  if (query === '') return ''
  return campaignParameters
    .flatMap((name) => {
      const [, raw] = new RegExp(`[?&]${name}=([^&]*)`, 'i').exec(query) ?? []
      const value = raw === undefined ? '' : toValue(decodeValue(raw.replaceAll('+', ' ')))
      return value === '' ? [] : [toPart(name, value)]
    })
    .join('&')
}

/** An e-mail address or a secret in a link says who somebody is. */
function toValue(text: string): string {
  return text.includes('@') || findShapes(text).length > 0 ? redacted : valueOf(text)
}
