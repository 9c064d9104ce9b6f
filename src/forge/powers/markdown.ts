// Takes from Markdown that a model wrote the powers that it has in the body or a comment of a pull request. Readers see the
// same text: there is an invisible space between the sign and the name. Pure.

import type { ForgeKind } from '../host.ts'
import { bracketed, command, otherReference, powers, starred, trailer } from './table.ts'
import { nameAuthor } from './imitation.ts'

type Range = { readonly start: number; readonly end: number }

/** Bitbucket shows references of HTML as they are written, and Azure DevOps finds a work item in the number of this one. */
const gapOf = (forge: ForgeKind) => (forge === 'bitbucket' || forge === 'azure' ? '\u200b' : '&#8203;')
/** The destination of a link, an address, and an address that becomes a link by itself. Forges find nothing in them. */
const address =
  /\[[^[\]\n]*\]\((?!#\d)[^\s()]*\)|<[a-z][a-z+.-]{1,20}:[^\s<>]*>|\bhttps?:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s<>]*/
/** `@` also as a reference or an escape, because forges look for names in the finished page. Not in `a@b.c`. */
const mention = /(?<![A-Za-z0-9_])(?:\\?@|&(?:#0*64|#x0*40|commat);?)(?=[^\s@])/
const encodedSign = /&(?:#0*35|#x0*23|num);/

/** `code`: where forges show code, in which nothing has a power but a command at the start of a line. */
export function weakenMarkdown(text: string, forge: ForgeKind, code: readonly Range[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of code.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    parts.push(weakenText(text.slice(at, start), forge), text.slice(start, end).replaceAll(/^\/(?=[a-z_])/gim, ' /'))
    at = end
  }
  return nameAuthor([...parts, weakenText(text.slice(at), forge)].join(''))
}

function weakenText(text: string, forge: ForgeKind): string {
  const { signs, prefixes, closing } = powers[forge]
  const gap = gapOf(forge)
  const reference = String.raw`(?:\\?[${signs}](?<!&#(?=x?[0-9a-f]{1,8};))|${encodedSign.source})(?=[\d&\\])`
  const prefix = prefixes.length === 0 ? '(?!)' : String.raw`\b(?:${prefixes.join('|')})(?=-\d)`
  const closingWord = String.raw`\b(?:${closing})(?=[\s:*_~"'(]+(?:issues?\s+)?(?:${otherReference}|[<[]))`
  const found = new RegExp(`(${closingWord})|${address.source}|(${mention.source})|(${reference})|(${prefix})`, 'gi')
  return text
    .replaceAll(found, (all, ...groups: readonly (string | undefined)[]) => {
      const [word, at, sign, name] = groups
      if (word !== undefined) return `${word.slice(0, 1)}${gap}${word.slice(1)}`
      if (at !== undefined) return `@${gap}`
      if (sign !== undefined) return `${encodedSign.test(sign) ? '#' : sign.replace('\\', '')}${gap}`
      return name === undefined ? all : `${name}${gap}`
    })
    .replaceAll(bracketed, (_, words: string) => `[${words.slice(0, 1)}${gap}${words.slice(1)}]`)
    .replaceAll(starred, `***NO${gap}_CI***`)
    .replaceAll(trailer, (line) => `${line}${gap}`)
    .replaceAll(command, String.raw`$1\/`)
}
