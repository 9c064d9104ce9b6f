// Chooses the representation that the caller prefers (RFC 9110, section 12.5.1). A caller that accepts no offered type
// gets the first one.

type Range = { readonly type: string; readonly quality: number }
type Liking = { readonly quality: number; readonly specificity: number }

/** `offered`: media types, the default first. Equal quality: the one that is named more exactly, then the first. */
export function preferredType<const T extends string>(accept: string | undefined, offered: readonly [T, ...T[]]): T {
  if (accept === undefined) return offered[0]
  const ranges = accept.split(',').map(toRange)
  const liked = offered
    .map((type) => ({ type, ...likingOf(type, ranges) }))
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality || b.specificity - a.specificity)
  return liked[0]?.type ?? offered[0]
}

function toRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return { type, quality: quality === undefined || !/^[01](?:\.\d{0,3})?$/.test(quality) ? 1 : Number(quality) }
}

/** The most exact range that covers the type decides. */
function likingOf(type: string, ranges: readonly Range[]): Liking {
  const covering = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const [index, name] of covering.entries()) {
    const range = ranges.find((one) => one.type === name)
    if (range) return { quality: range.quality, specificity: covering.length - index }
  }
  return { quality: 0, specificity: 0 }
}
