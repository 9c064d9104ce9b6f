// The titles of messages, and their words.

import type { Change } from './types.ts'

/** A forge, or a bot, that merges a pull request names it in the first line, and puts its title below. */
const merged = /^(?:auto merge of|merge pull request|merge pr) /i

export type Message = { readonly title: string; readonly body: string }

/** `title`: the first line, or that of the pull request which the message merges. `body`: the rest. */
export function readMessage(message: string): Message {
  const [first = '', ...rest] = message.split('\n')
  const at = merged.test(first) ? rest.findIndex((line) => line.trim() !== '') : -1
  if (at === -1) return { title: first, body: rest.join('\n') }
  return { title: rest[at] ?? '', body: rest.slice(at + 1).join('\n') }
}

export function titlesOf({ messages }: Pick<Change, 'messages'>): string[] {
  return messages.map((message) => readMessage(message).title)
}

export function wordsOf(title: string): string[] {
  return title.toLowerCase().match(/[a-z]{3,30}/g) ?? []
}
