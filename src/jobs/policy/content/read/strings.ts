// Finds HTML in the strings of data, which sites put into pages.

import { decodeEscapes } from '../html/address.ts'
import { findElements } from '../html/elements.ts'
import { findTagHandlers } from '../html/handlers.ts'
import { findLinks } from '../html/links.ts'
import { readTags } from '../html/tags.ts'
import type { Sign } from '../sign.ts'
import { createSpend } from '../spend.ts'

/** Throws `TextTooCostly`. */
export function scanStrings(text: string): readonly Sign[] {
  const decoded = decodeStrings(text)
  if (decoded === text) return scanHtml(text)
  // Nobody can say where an escaped sign is in the text.
  return [...scanHtml(text), ...[...scanHtml(decoded), ...scanLinks(decoded)].map((sign) => ({ ...sign, start: 0 }))]
}

/** Escapes, and the lines that a backslash joins. */
function decodeStrings(text: string): string {
  if (!text.includes('\\')) return text
  const joined = text.replaceAll(/\\\r?\n[ \t]*/g, '').replaceAll(/\\U([0-9a-f]{8})/gi, (written, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : written
  })
  return decodeEscapes(joined)
}

function scanLinks(text: string): readonly Sign[] {
  const spend = createSpend(text)
  return findLinks(text, { tags: readTags(text, () => false, spend), hasStrings: true, spend })
}

function scanHtml(text: string): readonly Sign[] {
  if (!/<[a-z]/i.test(text)) return []
  const spend = createSpend(text)
  const tags = readTags(text, () => false, spend)
  return [...findElements(text, { tags, hasComponents: false, spend }), ...findTagHandlers(text, tags)]
}
