// Makes the Markdown of a pull request safe HTML, by the rules of a page's preview: no scripts and handlers, no images, and
// links that show their address and lead nowhere, since a model may have written them.

import type { PullPage } from '../../forge/own/response.ts'
import { nameTricky } from '../../lib/plain-text.ts'
import type { Previews } from '../../preview/previews.ts'
import type { SafeTexts } from './pull.ts'

/** May throw `unavailable`. */
export async function toSafeTexts(
  previews: Previews,
  { note, text, facts }: Pick<PullPage, 'note' | 'text' | 'facts'>,
): Promise<SafeTexts> {
  // On a forge, a line separates the facts from the text.
  const parts = [note, text, facts.replace(/^---\n\n/, '')] as const
  const [safeNote, safeText, safeFacts] = await Promise.all(parts.map((part) => toSafeHtml(previews, part)))
  return { note: safeNote ?? '', text: safeText ?? '', facts: safeFacts ?? '' }
}

/** Empty for an empty text. May throw `unavailable`. */
export async function toSafeHtml(previews: Previews, markdown: string): Promise<string> {
  if (markdown.trim() === '') return ''
  const content = new TextEncoder().encode(nameTricky(markdown))
  return (await previews.preview({ path: 'text.md', content, read: () => Promise.resolve(undefined) })) ?? ''
}
