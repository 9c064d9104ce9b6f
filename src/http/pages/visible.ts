// Makes untrusted text safe to display: replaces characters that reverse, hide or end a line by their names.

import { html } from 'hono/html'
import type { Html } from './page.ts'

/** C0 and C1 controls except tab and newline, bidirectional controls, invisible spaces and joiners, Unicode tags. */
const tricky =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

export function nameTricky(text: string): string {
  return text.replaceAll(tricky, nameOf)
}

/** Does the same, and marks up the names. */
export function visible(text: string): Html {
  if (text.search(tricky) === -1) return html`${text}`
  const names = [...text.matchAll(tricky)].map(([character]) => html`<span class="tricky">${nameOf(character)}</span>`)
  return html`${text.split(tricky).map((part, index) => [part, names[index] ?? ''])}`
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
