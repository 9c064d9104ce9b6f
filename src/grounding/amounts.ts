// Numbers with a unit and versions, and whether a piece of code or a sentence has the same amount in another unit:
// `30s` is `30_000`, `30 * time.Second` and "30 seconds". Pure.

/** `version`: as it is written without a `v`. `factors`: what one unit is in others. */
export type Amount =
  | { readonly kind: 'version'; readonly text: string }
  | { readonly kind: 'number'; readonly value: number; readonly factors: readonly number[] }

const time = [
  1,
  1_000,
  1_000_000,
  1_000_000_000,
  60,
  3_600,
  86_400,
  60_000,
  3_600_000,
  86_400_000,
  24,
  1 / 1_000,
  1 / 60,
  1 / 3_600,
  7,
]
const size = [1, 1_000, 1_000_000, 1_000_000_000, 1_024, 1_048_576, 1_073_741_824, 1_099_511_627_776]
const units: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^(?:ns|[uµ]s|ms|s|m|h|d|w|secs?|mins?|hrs?|(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|weeks?)$/i, time],
  [/^(?:b|[kmgt]i?b?|bytes?|(?:kilo|mega|giga|kibi|mebi|gibi)bytes?)$/i, size],
  [/^(?:%|percent)$/i, [1, 0.01]],
  [
    /^(?:px|r?em|vh|vw|dpi|hz|khz|mhz|characters?|chars?|lines?|retries|times|entries|items|requests?|connections?|workers?|threads?)$/i,
    [1],
  ],
]
const number = /^-?\d[\d_,]*(?:\.\d+)?/
const written =
  /(?<![\w.#/-])(?:v?\d+\.\d+(?:\.\d+)+(?:-[a-z]+[.\d]*)?|v\d+\.\d+|\d[\d,_]*(?:\.\d+)?(?: |-|&nbsp;)?(?:[kmgt]i?b|ms|bytes|(?:milli|micro|nano)?seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|kilobytes|megabytes|gigabytes|%|px|characters)(?!\w))/gi

/** Undefined: no number. */
export function amountOf(text: string): Amount | undefined {
  if (/^\d+(?:\.\d+){3}/.test(text)) return undefined
  const plain = text.replace(/^v(?=\d)/, '')
  if (/^\d+\.\d+\.\d+/.test(plain) || (plain !== text && /^\d+\.\d/.test(plain)))
    return { kind: 'version', text: plain }
  const [digits] = number.exec(plain) ?? []
  if (digits === undefined) return undefined
  const unit = plain.slice(digits.length).replace(/^[\s-]+|^&nbsp;/, '')
  const factors = unit === '' ? [1] : units.find(([form]) => form.test(unit))?.[1]
  const value = Number(digits.replace(/[_,]/g, ''))
  return factors && Number.isFinite(value) ? { kind: 'number', value, factors } : undefined
}

/** The versions and numbers with a unit of a sentence. */
export function amountsIn(text: string): { readonly text: string; readonly start: number; readonly amount: Amount }[] {
  return Array.from(text.matchAll(written)).flatMap(({ 0: found, index }) => {
    const amount = amountOf(found)
    return amount ? [{ text: found, start: index, amount }] : []
  })
}

const anyNumber = /\d[\d_,]*(?:\.\d+)?/g

export function hasAmount(text: string, amount: Amount): boolean {
  if (amount.kind === 'version') return text.includes(amount.text)
  const { value, factors } = amount
  for (const [found] of text.matchAll(anyNumber)) {
    const other = Number(found.replace(/[_,]/g, ''))
    if (other === value) return true
    if (
      factors.length > 1 &&
      factors.some((factor) => isClose(other, value * factor) || isClose(value, other * factor))
    )
      return true
  }
  return false
}

function isClose(one: number, other: number): boolean {
  return one !== 0 && Math.abs(one - other) <= Math.abs(other) * 1e-9
}
