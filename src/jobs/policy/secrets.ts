// Finds tokens and keys in a text by their shapes, with the line of each. A finding is never shown with its secret.

import { decodeHTML } from 'entities'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import { findShapes } from '../../lib/outbound/secret-shapes.ts'

export type FoundSecret = {
  /** A noun phrase, such as `a token of GitHub`. */
  readonly name: string
  /** Counted from 1. */
  readonly line: number
  /** The secret itself, for comparison. Never shown. */
  readonly text: string
}

/** Also with references of HTML, escapes of Markdown, tags and invisible characters inside, which readers do not see. */
export function findSecrets(text: string): readonly FoundSecret[] {
  const plain = (text.includes('&') ? decodeHTML(text) : text).replaceAll(hidden, '')
  const found = findIn(text)
  const known = new Set(found.map((one) => one.text))
  for (const form of new Set([plain, plain.replaceAll(markup, '')])) {
    if (form === text) continue
    for (const one of findIn(form)) {
      if (!known.has(one.text)) found.push(one)
      known.add(one.text)
    }
  }
  return found
}

/** Nothing that ends a line, so the lines stay the same. */
const hidden = /\p{Default_Ignorable_Code_Point}/gu

/** Escapes of Markdown, and tags that a reader does not see inside a token. */
const markup = /\\(?=[!-/:-@[-`{-~])|<!--[^<>\n]{0,200}-->|<\/?[a-z][^<>\n]{0,100}>|\*\*/gi

function findIn(text: string): FoundSecret[] {
  const shapes = findShapes(text)
  const starts = shapes.length === 0 ? [] : lineStarts(text)
  return shapes
    .toSorted((one, other) => one.at - other.at)
    .map((found) => ({ name: found.name, text: found.text, line: lineAt(starts, found.at) }))
}

/** Returns the secrets in the text that no old text contains. A secret that was already published is not a new leak. */
export function findNewSecrets(text: string, before: readonly string[]): readonly FoundSecret[] {
  const known = new Set(before.flatMap((old) => findSecrets(old).map((secret) => secret.text)))
  return findSecrets(text).filter((one) => !known.has(one.text) && !before.some((old) => old.includes(one.text)))
}
