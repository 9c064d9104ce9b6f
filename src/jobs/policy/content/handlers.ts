// Finds attributes that run code when something happens on the page, and those that insert HTML unescaped: of HTML, JSX,
// Vue, Alpine and htmx. Found anywhere in the text, because generators take attributes from Markdown, too.

import { findAttributes, type FoundAttribute } from './attributes.ts'
import { refused } from './elements.ts'
import { type Sign, squash } from './sign.ts'
import type { Spend } from './spend.ts'

/** The names of events after `on`. Not every word: `once` and `only` are usual names of other attributes. */
const events =
  /^on(?:abort|activate|after\w+|animation\w*|auxclick|before\w+|begin|blur|bounce|cancel|canplay\w*|change|click|close|command|contextmenu|copy|cuechange|cut|dblclick|drag\w*|drop|durationchange|emptied|end|ended|error|finish|focus\w*|formdata|fullscreen\w*|gesture\w+|gotpointercapture|hashchange|input|invalid|key\w+|load\w*|lostpointercapture|message\w*|mouse\w+|offline|online|page\w+|paste|pause|play\w*|pointer\w+|popstate|progress|propertychange|ratechange|readystatechange|rejection\w+|repeat|reset|resize|scroll\w*|search|security\w+|seek\w+|select\w*|show|slotchange|snap\w+|stalled|start|storage|submit|suspend|timeupdate|toggle|touch\w+|transition\w+|unhandled\w+|unload|volumechange|waiting|webkit\w+|wheel)$/
const directives = /^(?:v-on:|x-on:|hx-on[:-]|hx-vals$|x-init$|x-data$|x-effect$|v-html$|set:html$|x-html$)/
const html = /^(?:dangerouslysetinnerhtml|innerhtml|outerhtml|srcdoc)$/

export function findHandlers(text: string, spend: Spend): Sign[] {
  return findAttributes(text, spend).flatMap((attribute) => {
    const what = handlerOf(text, attribute)
    if (what === undefined) return []
    return [refused(attribute, squash(attribute.value), what)]
  })
}

function handlerOf(text: string, { name, start, isCode }: FoundAttribute): string | undefined {
  const written = text.slice(start, start + name.length)
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
