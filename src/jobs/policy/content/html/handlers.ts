// Finds attributes that run code when something happens on the page, and those that insert HTML unescaped: of HTML, JSX,
// Vue, Alpine and htmx. In a tag and in a list of attributes, every name that begins with `on` counts, because browsers add
// events. Elsewhere the known ones do: generators take attributes from Markdown in many ways.

import { findAttributes, type FoundAttribute } from './attributes.ts'
import { refused } from './elements.ts'
import { type Sign, squash } from '../sign.ts'
import type { Spend } from '../spend.ts'
import type { Tags } from './tags.ts'

/** The names of events after `on`. Not every word: `once` and `only` are usual names of other attributes. */
const events =
  /^on(?:abort|activate|after\w+|animation\w*|auxclick|before\w+|begin|blur|bounce|cancel|canplay\w*|change|click|close|command|contextmenu|copy|cuechange|cut|dblclick|drag\w*|drop|durationchange|emptied|end|ended|error|finish|focus\w*|formdata|fullscreen\w*|gesture\w+|gotpointercapture|hashchange|input|invalid|key\w+|load\w*|lostpointercapture|message\w*|mouse\w+|offline|online|page\w+|paste|pause|play\w*|pointer\w+|popstate|progress|propertychange|ratechange|readystatechange|rejection\w+|repeat|reset|resize|scroll\w*|search|security\w+|seek\w+|select\w*|show|slotchange|snap\w+|stalled|start|storage|submit|suspend|timeupdate|toggle|touch\w+|transition\w+|unhandled\w+|unload|volumechange|waiting|webkit\w+|wheel)$/

export function isEvent(name: string): boolean {
  return events.test(name.toLowerCase())
}

const directives = /^(?:v-on:|x-on:|hx-on[:-]|hx-vals$|x-init$|x-data$|x-effect$|v-html$|set:html$|x-html$)/
const html = /^(?:dangerouslysetinnerhtml|innerhtml|outerhtml|srcdoc)$/

/** Names of attributes that are no events. `online` is one. */
const noEvents = new Set(['once', 'only'])

export function findHandlers(text: string, tags: Tags, spend: Spend): Sign[] {
  return [
    ...findTagHandlers(text, tags),
    ...findAttributes(text, spend).flatMap((one) => {
      return toSign(one, handlerOf(text, one) ?? (isInList(text, one) ? anyHandler(text, one) : undefined))
    }),
  ]
}

export function findTagHandlers(text: string, { attributes }: Tags): Sign[] {
  return attributes.flatMap((one) => toSign(one, anyHandler(text, one) ?? handlerOf(text, one)))
}

function toSign(attribute: FoundAttribute, what: string | undefined): Sign[] {
  return what === undefined ? [] : [refused(attribute, squash(attribute.value), what)]
}

function anyHandler(text: string, { name, start, hasValue }: FoundAttribute): string | undefined {
  if (!hasValue || !/^on:?[a-z]{3,}$/.test(name) || noEvents.has(name)) return undefined
  return `an event handler (\`${text.slice(start, start + name.length)}\`)`
}

const longestList = 2_000

/** Whether it is in braces in its line, as `{: onclick="x" }`. */
function isInList(text: string, { start }: FoundAttribute): boolean {
  const before = text.slice(Math.max(0, start - longestList), start)
  return /\{[^{}\n]*$/.test(before)
}

function handlerOf(text: string, { name, start, isCode, hasValue }: FoundAttribute): string | undefined {
  const written = text.slice(start, start + name.length)
  if (!hasValue) return undefined
  if (text[start + name.length] === '=' && text[start + name.length + 1] === '=') return undefined
  if (events.test(name)) return `an event handler (\`${written}\`)`
  if (directives.test(name) || html.test(name)) return `code in an attribute (\`${written}\`)`
  if (isCode && /^on[A-Z]/.test(written)) return `an event handler (\`${written}\`)`
  // `@click="…"` of Vue, after white space in a tag.
  return /^@[\w.:-]+$/.test(name) &&
    /["']\s*$|^\s*=\s*["']/.test(text.slice(start + name.length, start + name.length + 20))
    ? `an event handler (\`${written}\`)`
    : undefined
}
