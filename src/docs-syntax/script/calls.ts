// Calls in the text of scripts, for configurations that are code: which function gets which literals. Evaluates nothing.

/** `name`: the constant that holds the result, or the key that has it; '' for any other call. */
export type Call = { readonly name: string; readonly text: string }

/** A script with more calls is no configuration. */
const maxCalls = 200

/** An object that is deeper is not read. */
const maxDepth = 20

/** The first calls of a function, each with the text of its arguments. */
export function callsOf(all: string, name: string): Call[] {
  const call = new RegExp(
    String.raw`(?:(?:const\s+(\w+)(?::[^=\n]{0,200})?\s*=|['"]?\b([\w-]{1,60})['"]?:)\s*)?(?<![\w.])${name}\(`,
    'g',
  )
  return Array.from(all.matchAll(call).take(maxCalls)).map((found) => {
    const start = found.index + found[0].length
    return { name: found[1] ?? found[2] ?? '', text: all.slice(start, closingAt(all, start)) }
  })
}

/** The value of a field: a literal, or a constant of these scripts. */
export function literalOf(text: string, key: string, all: string): string | undefined {
  const [, value, constant] =
    new RegExp(String.raw`\b${key}:\s*(?:['"\`]([^'"\`$\n]*)['"\`]|(\w+)\b(?![.(]))`).exec(text) ?? []
  if (constant === undefined) return value
  return new RegExp(String.raw`\bconst\s+${constant}(?::[^=\n]{0,200})?\s*=\s*['"]([^'"\n]*)['"]`).exec(all)?.[1]
}

/** The keys of an object that is a constant of these scripts; undefined if no such object is written there. */
export function keysOf(constant: string, all: string): string[] | undefined {
  const found = new RegExp(String.raw`\bconst\s+${constant}(?::[^=\n]{0,200})?\s*=\s*\{`).exec(all)
  if (!found) return undefined
  const start = found.index + found[0].length
  let text = all.slice(start, closingAt(all, start)).replace(/:\s*(['"`])[^\n]*?\1/g, ':')
  for (let depth = 0; depth < maxDepth && text.includes('{'); depth += 1) text = text.replace(/\{[^{}]*\}/g, '')
  return /\{|\.\.\./.test(text) ? undefined : Array.from(text.matchAll(/([\w-]+)['"]?\s*:/g), ([, key = '']) => key)
}

/** Where the brackets close that are open before the position. */
export function closingAt(text: string, start: number): number {
  for (let at = start, depth = 1; at < text.length; at += 1) {
    const one = text.charAt(at)
    if ('([{'.includes(one)) depth += 1
    else if (')]}'.includes(one) && (depth -= 1) === 0) return at
  }
  return text.length
}
