// The first lines of messages, and their words.

import type { Change } from './types.ts'

export function subjectsOf({ messages }: Pick<Change, 'messages'>): string[] {
  return messages.map((message) => message.split('\n', 1)[0] ?? '')
}

export function wordsOf(subject: string): string[] {
  return subject.toLowerCase().match(/[a-z]{3,30}/g) ?? []
}
