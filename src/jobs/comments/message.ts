// Turns a comment that calls Docent into a message to the agent: the words of its author. The texts around it are data.

import { toCommentPrompt } from '../../agent/comment.ts'
import type { EventData } from '../../agent/notices/notices.ts'
import type { Entry } from '../../forge/activity/activity.ts'
import type { Discussion, Remark } from '../../forge/discussion/discussion.ts'
import { plainText, shorten, startOf } from '../../lib/plain-text.ts'
import { maxPromptCharacters } from '../job.ts'
import { findMention } from './mention.ts'

export type Around = {
  readonly author: string
  readonly link: string
  /** The comments on lines of the review, if it is one. */
  readonly lines: readonly Entry[]
  /** The issue that it is on. */
  readonly issue: Discussion | undefined
  /** The comments before it there, the oldest first. */
  readonly earlier: readonly Earlier[]
}

export type Earlier = Pick<Remark, 'author' | 'text' | 'path' | 'line'>

export type Asked = {
  readonly text: string
  readonly path: string | null
  readonly line: number | null
}

/** The words of outsiders are short; the text of an issue and a part of the change are what the comment is about. */
const mostCharacters = 200
const mostBody = 2_000
export const mostEarlier = 10
const mostLines = 50
const mostQuoted = 500

/** Empty: the comment names nobody anything to do. */
export function promptOf(asked: Asked, lines: readonly Entry[], names: readonly string[]): string {
  const own = wordsOf(asked.text, names)
  const parts =
    lines.length === 0
      ? [asked.path === null || own === '' ? own : at({ ...asked, path: asked.path, text: own })]
      : [own, ...lines.slice(0, mostLines).map((line) => onLine(line, names))]
  return startOf(parts.filter((part) => part !== '').join('\n\n'), maxPromptCharacters)
}

/** A comment of the same review need not call. */
function wordsOf(text: string, names: readonly string[]): string {
  return findMention(text, names) ?? plainText(text).trim()
}

function onLine({ text, path, line, hunk }: Entry, names: readonly string[]): string {
  const words = wordsOf(text, names)
  return words === '' || path === null ? words : at({ text: words, path, line, hunk })
}

type OnLine = {
  readonly text: string
  readonly path: string
  readonly line: number | null
  readonly hunk?: string | undefined
}

function at({ text, path, line, hunk }: OnLine): string {
  if (line === null) return `Comment on ${JSON.stringify(path)}:\n\n${text}`
  const last = hunk?.split('\n').findLast((one) => /^[ +-]/.test(one))
  const quote = last === undefined ? undefined : shorten(last.slice(1), mostQuoted)
  return toCommentPrompt({ path, line, at: last?.startsWith('-') === true ? 'base' : 'head', quote }, text)
}

/** `hide` removes secrets of the service; it sees each text before it is cut. */
export function aroundOf({ author, link, lines, issue, earlier }: Around, hide: (text: string) => string): EventData {
  const cut = (text: string, most = mostCharacters) => shorten(hide(plainText(text)), most)
  const changes = lines.slice(0, mostLines).flatMap(({ path, line, hunk }) => {
    return hunk === undefined ? [] : [{ path: cut(path ?? ''), line, hunk: hide(hunk) }]
  })
  const comments = earlier.slice(-mostEarlier).map(({ author: by, text, path, line }) => ({
    author: by,
    text: cut(text),
    ...(path === null ? {} : { path: cut(path), line }),
  }))
  const about = issue && {
    number: issue.number,
    title: cut(issue.title),
    author: issue.author,
    text: cut(issue.body, mostBody),
  }
  const payload = {
    by: author,
    link,
    ...(about && { issue: about }),
    ...(comments.length > 0 && { earlierComments: comments }),
    ...(changes.length > 0 && { changes }),
  }
  const leftOut = earlier.length - comments.length + (issue?.isWhole === false ? 1 : 0)
  return { payload, leftOut, about: 'comment' }
}
