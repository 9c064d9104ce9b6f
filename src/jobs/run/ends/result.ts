// Says what the agent said at the end of a run, as people and programs read it on the job. Pure.

import type { Finish } from '../../../agent/tool.ts'
import { plainText, shorten } from '../../../lib/plain-text.ts'
import { cut } from '../../events/events.ts'
import { type JobResult, maxResultText } from '../../job.ts'
import { summaryOf, titleOf } from '../describe/description.ts'

const titleCharacters = 119

/** `warnings`: sentences of the service that a person should read with it. */
export function toResult(finish: Finish, warnings: readonly string[] = []): JobResult {
  const said = summaryOf(finish)
  const added = warnings.length === 0 ? '' : `\n\nDocent adds:\n${warnings.map(toItem).join('\n')}`
  const text = cut(said, maxResultText - added.length) + added
  return { kind: finish.kind, title: finish.kind === 'change' ? titleOf(finish) : firstLine(said), text }
}

function toItem(warning: string): string {
  return `- ${plainText(warning).replaceAll(/\s+/g, ' ')}`
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return shorten(line.replaceAll('\t', ' '), titleCharacters)
}
