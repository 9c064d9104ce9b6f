// Finds HTML in the strings of data, which sites put into pages.

import { decodeText } from '../html/address.ts'
import { findElements } from '../html/elements.ts'
import { findTagHandlers } from '../html/handlers.ts'
import { readTags } from '../html/tags.ts'
import type { Sign } from '../sign.ts'
import { createSpend } from '../spend.ts'

/** Throws `TextTooCostly`. */
export function scanStrings(text: string): readonly Sign[] {
  const decoded = /\\(?:u003c|x3c)/i.test(text) ? decodeText(text) : text
  if (!/<[a-z]/i.test(decoded)) return []
  const spend = createSpend(decoded)
  const tags = readTags(decoded, () => false, spend)
  const found = [...findElements(decoded, { tags, hasComponents: false, spend }), ...findTagHandlers(decoded, tags)]
  // Nobody can say where an escaped sign is in the text.
  return decoded === text ? found : found.map((sign) => ({ ...sign, start: 0 }))
}
