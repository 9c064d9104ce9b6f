// `docent job events`: the events of a job for scripts, a line of JSON each; and what a job changed, in a few lines.

import type { Command } from 'commander'
import type { FileDiff } from '../../git/types.ts'
import { systemClock } from '../../lib/clock.ts'
import type { JobError } from '../../jobs/events/events.ts'
import { Failure, isJobFailureCode } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Api } from '../api.ts'
import { type CommandContext, withApi } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import { followEvents } from './event-reader.ts'
import { keptEvents } from './kept-events.ts'
import { type Output, paint } from '../output.ts'

export type Add = (usage: string, description: string) => Command

export function addEventCommands(add: Add, context: CommandContext): void {
  add('events <jobId>', 'print what happened to a job, a line of JSON each')
    .option('--follow', 'go on until the job ends')
    .action((id: string, options: { readonly project: string; readonly follow?: true }) => {
      const path = `/v2/agent/${encodeURIComponent(options.project)}/job/${encodeURIComponent(id)}`
      return printEvents(context, path, options.follow === true)
    })
}

/** Fails when it follows and the job failed. */
export function printEvents(context: CommandContext, path: string, isFollowing: boolean): Promise<void> {
  const { output, stop } = context
  return withApi(
    context,
    async (api) => {
      if (!isFollowing) {
        for await (const event of keptEvents(api, path)) output.print(JSON.stringify(event))
        return
      }
      // A job that is not there is told at once, rather than after many tries.
      await api.send('GET', path)
      let error: JobError | null = null
      for await (const told of followEvents({ api, path, clock: systemClock }, 0, stop)) {
        if (told.kind === 'poll') throw new Failure('unavailable', 'The events of this job do not stream here.')
        if (told.kind === 'text') continue
        output.print(JSON.stringify(told.event))
        error = told.event.type === 'job_ended' ? told.event.error : null
      }
      if (error)
        throw new CommandFailure('jobFailed', isJobFailureCode(error.code) ? error.code : 'internal', error.message)
    },
    true,
  )
}

const shownFiles = 20

/** Nothing when nothing is changed, or when the repository cannot be read now. */
export async function printDiffstat(api: Api, path: string, output: Output): Promise<void> {
  const answer = await api.send('GET', `${path}/diff`, undefined, { Accept: 'application/json' }).catch(() => undefined)
  if (!answer) return
  const { files } = JSON.parse(answer.body) as { readonly files: readonly FileDiff[] }
  for (const file of files.slice(0, shownFiles)) {
    const counts = `${paint(output, 'green', `+${file.additions}`)} ${paint(output, 'red', `-${file.deletions}`)}`
    output.warn(`${file.status.padEnd(9)} ${plainText(file.path).replaceAll(/[\n\t]/g, ' ')}  ${counts}`)
  }
  if (files.length > shownFiles) output.warn(`… ${files.length - shownFiles} more files`)
}
