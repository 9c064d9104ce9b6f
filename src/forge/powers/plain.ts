// Takes from a title or a commit message that a model wrote the powers that it has on a forge. Both are plain text, which
// shows every escape: what has a power is reworded. Pure.

import { anyForge, bracketed, command, otherReference, personTrailer, starred, trailer } from './table.ts'
import { nameAuthor } from './imitation.ts'

const { closing, signs, prefixes } = anyForge
const toIssue = String.raw`(?:issues?\s+)?(?:[\w./-]{0,100}[${signs}]\d|(?:${prefixes.join('|')})-\d|${otherReference})`
const closingWord = new RegExp(String.raw`\b(?:${closing})\b[\s:]+(?=${toIssue})`, 'gi')
const prefixed = new RegExp(String.raw`\b(${prefixes.join('|')})-(?=\d)`, 'gi')
const address = /\bhttps?:\/\/[^\s<>"]+/gi

/** A message of several lines. */
export function weakenMessage(text: string): string {
  return nameAuthor(
    weakenLine(text.replaceAll(personTrailer, ''))
      .replaceAll(new RegExp(`(${trailer.source})[ \\t]*[:=]`, 'gim'), '$1')
      .replaceAll(command, '$1- /'),
  )
}

/** One line, which is also the first line of a commit. */
export function weakenTitle(text: string): string {
  return weakenLine(text).replace(/^[\s/]+/, '')
}

function weakenLine(text: string): string {
  return text
    .replaceAll(closingWord, (word) => (/^[A-Z]/.test(word) ? 'For ' : 'for '))
    .replaceAll(address, (url) => url.replace(/#.*$/, '').replaceAll('@', '%40'))
    .replaceAll(/^[ \t]*#+[ \t]+/gm, '')
    .replaceAll(/(?<=\w)[#!](?=\d)/g, ' no. ')
    .replaceAll(/(?<!\w)[#!](?=\d)/g, 'no. ')
    .replaceAll(prefixed, '$1 ')
    .replaceAll(/\b([CFJ])#(?!\w)/g, '$1 Sharp')
    .replaceAll(/(?<=\w)#(?=\w)/g, ', ')
    .replaceAll('#', '')
    .replaceAll(/(?<=\w)@(?=\w)/g, ' at ')
    .replaceAll('@', '')
    .replaceAll(bracketed, '($1)')
    .replaceAll(starred, 'NO_CI')
}
