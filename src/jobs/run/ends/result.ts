// Says what the agent said at the end of a run, as people and programs read it on the job. Pure.

import { type Finish, sayKept } from '../../../agent/tool.ts'
import { plainText, quoteMarkdown, shorten } from '../../../lib/plain-text.ts'
import { cut } from '../../events/events.ts'
import { type JobResult, maxResultText } from '../../job.ts'
import { summaryOf, titleOf } from '../../pulls/description.ts'

const titleCharacters = 119

/** `warnings`: sentences of the service that a person should read with it. */
export function toResult(finish: Finish, warnings: readonly string[] = []): JobResult {
  const said = wordsOf(finish)
  const added = warnings.length === 0 ? '' : `\n\nDocent adds:\n${warnings.map(toItem).join('\n')}`
  const text = cut(said, maxResultText - added.length) + added
  if (finish.kind !== 'change') return { kind: finish.kind, title: firstLine(said), text, reply: null }
  const reply = finish.reply === undefined ? null : plainText(finish.reply)
  return { kind: 'change', title: titleOf(finish), text, reply }
}

/** `finish`: as a run stores it. */
export function titleOfResult(finish: string): string {
  return toResult(JSON.parse(finish) as Finish).title
}

/** The words of the agent; the service says first that a run stopped without finishing. */
function wordsOf(finish: Finish): string {
  const said = summaryOf(finish)
  if (finish.kind !== 'question' || finish.keptFiles === undefined) return said
  const kept = sayKept(finish.keptFiles)
  const advice =
    finish.keptFiles === 0
      ? `${kept}. Reply with what to do.`
      : `${kept} and not checked. Reply “finish” to have them published, or say what to do.`
  return `${stopped}\n\n${advice} The agent's last words:\n\n${quoteMarkdown(said.trim())}`
}

const stopped = 'The agent stopped without finishing: nothing of this run was published.'

function toItem(warning: string): string {
  return `- ${plainText(warning).replaceAll(/\s+/g, ' ')}`
}

function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return shorten(line.replaceAll('\t', ' '), titleCharacters)
}
