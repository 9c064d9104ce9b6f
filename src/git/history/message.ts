// Reads commit objects as text for people: author, message, and the pull requests that the message names. Everything in it is
// of people and programs outside. Pure.

import { plainText, shorten, startOf } from '../../lib/plain-text.ts'
import { toDate } from '../read/history.ts'
import type { LoggedCommit } from '../types.ts'

export type CommitText = Pick<LoggedCommit, 'author' | 'body' | 'date' | 'pullRequests' | 'subject'>

const longest = { author: 200, subject: 300, body: 10_000 }

/** `content`: of a commit object. */
export function readCommitText(content: Buffer): CommitText {
  const end = content.indexOf('\n\n')
  const head = content.toString('latin1', 0, end < 0 ? content.length : end)
  const decode = decoderOf(/^encoding (.+)$/m.exec(head)?.[1])
  const lines = decode(content.subarray(0, end < 0 ? content.length : end)).split('\n')
  const [author = '', committer = ''] = ['author', 'committer'].map(
    (name) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? '',
  )
  const message = end < 0 ? '' : clean(startOf(decode(content.subarray(end + 2)), longest.body * 2)).trim()
  const [subject = '', ...rest] = message.split(/\n[ \t]*\n/)
  const title = subject.replaceAll(/\s+/g, ' ')
  const body = rest.join('\n\n').trim()
  return {
    author: shorten(clean(author.replace(/\s*<[^<>]*>[^<>]*$/, '')).replaceAll(/\s+/g, ' '), longest.author),
    date: toDate(committer.split(' ').at(-2)),
    subject: shorten(title, longest.subject),
    body: shorten(body, longest.body),
    pullRequests: findPullRequests(title, body),
  }
}

/** As GitHub, Gitea, GitLab, Bitbucket and Azure write the messages of merges and squashes. */
const inSubject = [/^Merge pull request #(\d{1,9})\b/, /^Merged PR (\d{1,9}):/, /\((?:pull request )?#(\d{1,9})\)$/]
const inSubjectOfGitea = /^Merge pull request .* \(#(\d{1,9})\) from \S+(?: into \S+)?$/
const inBody = /^See merge request \S{0,200}!(\d{1,9})$/m

export function findPullRequests(subject: string, body: string): readonly number[] {
  const found = [
    ...[...inSubject, inSubjectOfGitea].map((pattern) => pattern.exec(subject)?.[1]),
    inBody.exec(body)?.[1],
  ]
  return [...new Set(found.filter((text) => text !== undefined).map(Number))]
}

function clean(text: string): string {
  return plainText(text.replaceAll('\r\n', '\n'))
}

function decoderOf(encoding: string | undefined): (bytes: Buffer) => string {
  try {
    const decoder = new TextDecoder(encoding ?? 'utf-8')
    return (bytes) => decoder.decode(bytes)
  } catch {
    return (bytes) => bytes.toString('utf8')
  }
}
