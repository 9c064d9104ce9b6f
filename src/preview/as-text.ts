// A page as its text, where it cannot be shown as a page: it is beyond the limits of the parser, or takes too long. The process
// needs this, but not the parser, which the thread loads.

import { startOf } from '../lib/plain-text.ts'

/** The browser shows a longer text only slowly. */
const mostCharacters = 200_000

export function showAsText(text: string): string {
  const shown = startOf(text, mostCharacters).replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<p class="missing">This page cannot be shown as a page. This is its text.</p><pre><code>${shown}</code></pre>`
}
