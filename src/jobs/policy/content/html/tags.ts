// Reads tags and their attributes by the state machine of the HTML standard (13.2.5, from "tag open state" on), started
// afresh at every `<` before a letter: nothing before a tag can hide it, such as a comment, a `<textarea>` or an open quote.
// Two tags whose attributes meet at one place have the same attributes from there on, so all are read in linear time.

import type { FoundAttribute } from './attributes.ts'
import type { Spend } from '../spend.ts'

/** Letters of XML, too: `<é:script>` is an element there. */
const tagStart = /<(?=[\p{L}_:])/gu
const endOfName = /[\t\n\f\r />]/g
const betweenAttributes = /[^\t\n\f\r /]/g
const endOfAttributeName = /[\t\n\f\r />=]/g
const space = /[^\t\n\f\r ]/g
const endOfBareValue = /[\t\n\f\r >]/g

type Step = { readonly attribute: FoundAttribute; readonly next: number }

export type Tags = {
  /** The attributes of all tags whose `<` is outside of code, each once. */
  readonly attributes: readonly FoundAttribute[]
  /** The attributes of one tag, and where it ends. */
  readonly attributesAt: (start: number) => { readonly attributes: readonly FoundAttribute[]; readonly end: number }
}

export type IsCode = (position: number) => boolean

export function readTags(text: string, isCode: IsCode, spend: Spend): Tags {
  const ends = createEnds(text)
  const firstAt = (start: number) => ends(betweenAttributes, ends(endOfName, start + 1))
  const steps = new Map<number, Step>()
  for (const { index } of text.matchAll(tagStart)) {
    let at = isCode(index) ? text.length : firstAt(index)
    while (!isEnd(text, at) && !steps.has(at)) {
      const step = readStep(text, at, ends)
      steps.set(at, step)
      at = step.next
    }
  }
  const found = Array.from(steps.values(), ({ attribute }) => attribute)
  const attributesAt = (start: number) => {
    const attributes: FoundAttribute[] = []
    let at = firstAt(start)
    while (!isEnd(text, at)) {
      const step = steps.get(at) ?? readStep(text, at, ends)
      steps.set(at, step)
      attributes.push(step.attribute)
      spend(step.next - at)
      at = step.next
    }
    return { attributes, end: Math.min(at + 1, text.length) }
  }
  return { attributes: found, attributesAt }
}

function isEnd(text: string, at: number): boolean {
  return at >= text.length || text[at] === '>'
}

type Ends = (what: RegExp, from: number) => number

/** Finds the next match of a pattern. Remembers the last one of each pattern, because searches overlap. */
function createEnds(text: string): Ends {
  const known = new Map<RegExp, { readonly from: number; readonly end: number }>()
  return (what, from) => {
    const last = known.get(what)
    if (last && last.from <= from && from <= last.end) return last.end
    what.lastIndex = from
    const end = what.exec(text)?.index ?? text.length
    known.set(what, { from, end })
    return end
  }
}

/** `start`: a place between attributes, at the first character of one. */
function readStep(text: string, start: number, ends: Ends): Step {
  // An equals sign at the beginning belongs to the name.
  const nameEnd = ends(endOfAttributeName, start + 1)
  const name = text.slice(start, nameEnd).toLowerCase()
  const equals = ends(space, nameEnd)
  const found = (value: string, end: number, hasValue = true): Step => {
    return { attribute: { name, value, start, hasValue, isCode: false }, next: ends(betweenAttributes, end) }
  }
  if (text[equals] !== '=') return found('', nameEnd, false)
  const at = ends(space, equals + 1)
  const quote = text[at]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, at + 1)
    return end < 0 ? found(text.slice(at + 1), text.length) : found(text.slice(at + 1, end), end + 1)
  }
  if (quote === '>') return found('', at)
  const end = ends(endOfBareValue, at)
  return found(text.slice(at, end), end)
}
