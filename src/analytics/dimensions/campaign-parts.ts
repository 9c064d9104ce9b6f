// The text of a campaign: its parameters, `name=value`, with `&` between them. `%` and `&` in a value are percent-encoded. Pure.

/** In characters. */
export const longestValue = 100

/** In lower case. */
export function valueOf(text: string): string {
  return cleanText(text, longestValue).toLowerCase()
}

export function toPart(name: string, value: string): string {
  return `${name}=${value.replaceAll('%', '%25').replaceAll('&', '%26')}`
}

export function decodeValue(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

/** The parameters of a campaign as callers write it, each in the form of the store; those without a value are left out. */
export function partsOfCampaign(text: string): readonly string[] {
  return text.split('&').flatMap((part) => {
    const [name = '', ...rest] = part.split('=')
    const value = valueOf(decodeValue(rest.join('=')))
    return value === '' ? [] : [toPart(name, value)]
  })
}

/** One line of at most `most` characters. */
export function cleanText(text: string, most: number): string {
  const line = text
    .slice(0, most * 16)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  return Array.from(line).slice(0, most).join('').trimEnd()
}
