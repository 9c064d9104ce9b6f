// Messages of the service itself inside a conversation. Models read the sentence; `docent/rules` reads the kind, which
// the message carries too, so a sentence can be improved without breaking anything.

import type { ModelMessage } from './model/types.ts'

export const noticeTag = '<notice>'

export type NoticeKind = 'new_run' | 'circle' | 'idle' | 'cut_off' | 'policy'

/**
 * Creates a notice, which is not an instruction of the user. The kind is under Docent's own name, so no provider reads
 * it.
 */
export function notice(kind: NoticeKind, text: string): ModelMessage {
  return { role: 'user', content: `${noticeTag}${text}</notice>`, providerOptions: { docent: { notice: kind } } }
}

/** `keptFiles`: the number of files with edits that the previous run did not publish. */
export function newRunNotice(keptFiles: number): ModelMessage {
  const kept = keptFiles === 0 ? '' : ` The unpublished edits of the run before are kept in ${keptFiles} files.`
  return notice(
    'new_run',
    `A new run of the same job. Files may have changed since you last read them: read before you edit.${kept}`,
  )
}

export function circleNotice(deed: string): ModelMessage {
  return notice('circle', `You ${deed}, and the results were the same. Do something else, or call finish.`)
}

export function idleNotice(): ModelMessage {
  return notice('idle', 'You called no tool. Continue the work, or call finish.')
}

export function cutOffNotice(): ModelMessage {
  const text = 'Your answer was cut off at its length limit. Continue in smaller steps: fewer or shorter calls a turn.'
  return notice('cut_off', text)
}

export function isNotice(message: ModelMessage): boolean {
  return message.role === 'user' && message.providerOptions?.['docent']?.['notice'] !== undefined
}
