// `docent job activity`: prints what happened on the pull requests of a job. The texts are data of others: control
// characters are removed, and long ones are shortened.

import type { ActivityPage, ActivityResponse } from '../../jobs/activity/read.ts'
import { shorten, terminalText } from '../../lib/plain-text.ts'
import { type ProjectOption, withProjectOfJob } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { type Output, paint } from '../output.ts'

const shownCharacters = 2_000

export function printActivity(
  context: CommandContext,
  id: string,
  options: ProjectOption & { readonly json?: true },
): Promise<void> {
  const { output } = context
  return withProjectOfJob(context, options, id, async (api, projectId) => {
    const path = `/v2/agent/${projectId}/job/${encodeURIComponent(id)}/activity`
    let count = 0
    for (let query: string | null = ''; query !== null;) {
      const page = JSON.parse((await api.send('GET', `${path}${query}`)).body) as ActivityPage
      for (const entry of page.activity) {
        if (options.json) output.print(JSON.stringify(entry))
        else printEntry(output, entry)
      }
      count += page.activity.length
      if (page.nextCursor === null && !options.json) printEnd(output, count, page)
      query = page.nextCursor === null ? null : `?cursor=${encodeURIComponent(page.nextCursor)}`
    }
  })
}

function printEntry(output: Output, entry: ActivityResponse): void {
  const { kind, author, at, path, line, state, text, link, isDeleted } = entry
  const where = path === null ? '' : ` ${path}${line === null ? '' : `:${line}`}`
  const said = isDeleted ? ' (deleted)' : state === null ? '' : ` ${state}`
  const head = `${at}  ${kind.replace('_', ' ')}${said}${where}  ${whoIs(author)}`
  output.print(paint(output, 'bold', terminalText(head)))
  for (const row of terminalText(shorten(text.trimEnd(), shownCharacters)).split('\n')) {
    if (text !== '') output.print(`    ${row}`)
  }
  if (link !== null) output.print(paint(output, 'gray', `    ${terminalText(link)}`))
}

function whoIs({ login, isBot, mayWrite }: ActivityResponse['author']): string {
  if (login === null) return ''
  if (isBot) return `${login} (bot)`
  return mayWrite === null ? login : `${login} (${mayWrite ? 'may write' : 'may not write'})`
}

function printEnd(output: Output, count: number, { notRead, callWords, lookedAt }: ActivityPage): void {
  if (lookedAt !== null) output.print(paint(output, 'gray', `Read from the forge at ${lookedAt}.`))
  if (count === 0) output.print('Nothing has happened on a pull request of this job yet.')
  if (callWords.length > 0) output.print(`To answer, begin a comment with ${callWords.join(' or ')}.`)
  if (notRead.length === 0) return
  output.warn(`The credential may not read: ${notRead.join(', ')}. See: docent forge check`)
}
