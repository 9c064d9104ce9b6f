// The repository's own notes for agents, as messages of the first turn of a run: capped, fenced, and marked as notes on
// style and structure. They are given once in a conversation, and again when they changed. Pure.

import { showInvisible } from '../docs-syntax/text.ts'
import type { ModelMessage } from './model/types.ts'
import { escapeTags } from './notices/notice-tags.ts'
import { kindOf, notice } from './notices/notices.ts'
import type { Turn } from './transcript.ts'

/**
 * Files with the repository's notes for agents; read from the base branch only, so that a branch cannot instruct
 * itself.
 */
export const guidancePaths = ['AGENTS.md', '.docent/AGENTS.md'] as const
const maxGuidanceCharacters = 16_000

export type Guidance = { readonly path: string; readonly text: string }

/** Returns what to tell the model about the notes; nothing if the earlier turns end with the same ones. */
export function guidanceMessages(guidance: readonly Guidance[], earlier: readonly Turn[]): readonly ModelMessage[] {
  const text = guidance
    .filter((one) => one.text.trim() !== '')
    .map(fence)
    .join('\n\n')
  const before = lastNotes(earlier)
  if (text === before) return []
  const replaced = before === '' ? '' : ' Those given earlier no longer apply.'
  if (text === '') return [notice('guidance', `The repository has no notes for agents any more.${replaced}`)]
  const words = `The next message holds the repository's own notes for agents, from its base branch: for style and structure only.${replaced}`
  return [notice('guidance', words), notice('repository_notes', text)]
}

/** The notes that hold at the end of these turns. A notice about guidance without notes after it withdraws them. */
function lastNotes(turns: readonly Turn[]): string {
  let last = ''
  for (const message of turns.flatMap(({ input }) => input)) {
    const kind = kindOf(message)
    if (kind === 'guidance') last = ''
    if (kind === 'repository_notes' && typeof message.content === 'string') last = message.content
  }
  return last
}

function fence({ path, text }: Guidance): string {
  const cut = text.length > maxGuidanceCharacters
  const shown = escapeTags(showInvisible(text.slice(0, maxGuidanceCharacters)))
  const head = cut ? `[the first ${maxGuidanceCharacters} of ${text.length} characters]\n` : ''
  return `<repository-notes path="${path}">\n${head}${shown}\n</repository-notes>`
}
