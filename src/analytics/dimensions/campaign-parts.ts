// The text of a campaign: its parameters, `name=value`, with `&` between them. `%` and `&` in a value are percent-encoded. Pure.

import { decodePercent, startOf } from '../../lib/plain-text.ts'

/** In characters. */
const longestValue = 100

/** In lower case. */
export function valueOf(text: string): string {
  return cleanText(text, longestValue).toLowerCase()
}

export function toPart(name: string, value: string): string {
  return `${name}=${value.replaceAll('%', '%25').replaceAll('&', '%26')}`
}

/** The parameters of a campaign as callers write it, each in the form of the store; those without a value are left out. */
export function partsOfCampaign(text: string): readonly string[] {
  return text.split('&').flatMap((part) => {
    const [name = '', ...rest] = part.split('=')
    const value = valueOf(decodePercent(rest.join('=')))
    return value === '' ? [] : [toPart(name, value)]
  })
}

/** One line of at most `most` characters. */
export function cleanText(text: string, most: number): string {
  const line = startOf(text, most * 16)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
  return startOf(line.trim(), most).trimEnd()
}
