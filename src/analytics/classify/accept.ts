// The values of a header such as `Accept` or `Accept-Language` with their weights (RFC 9110, 12.4.2).

/** `value`: in lower case. */
export type Accepted = { readonly value: string; readonly weight: number }

export const maxRanges = 32

/** In the order of the header. Never throws. */
export function parseAccept(header: string): readonly Accepted[] {
  return header.toLowerCase().split(',', maxRanges).map(toRange)
}

function toRange(text: string): Accepted {
  const [value = '', ...parameters] = text.split(';')
  const q = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='))
  return { value: value.trim(), weight: q === undefined ? 1 : toWeight(q.slice(2).trim()) }
}

/** An invalid weight counts as 0: it expresses no reliable preference. */
function toWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}
