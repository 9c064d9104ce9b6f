// Makes untrusted text safe to display in HTML: characters that reverse, hide or end a line are shown by name.

import { html } from 'hono/html'
import { nameOfCharacter, trickyCharacters } from '../../lib/plain-text.ts'
import type { Html } from './page.ts'

/** Escapes the text and marks up the names. */
export function visible(text: string): Html {
  if (text.search(trickyCharacters) === -1) return html`${text}`
  const names = [...text.matchAll(trickyCharacters)].map(
    ([character]) => html`<span class="tricky">${nameOfCharacter(character)}</span>`,
  )
  return html`${text.split(trickyCharacters).map((part, index) => [part, names[index] ?? ''])}`
}
