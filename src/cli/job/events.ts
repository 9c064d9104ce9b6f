// `docent job events`: prints the events of a job for scripts, one JSON object per line. Also prints the summary of a
// job's changes.

import type { Command } from 'commander'
import type { FileDiff } from '../../git/types.ts'
import { systemClock } from '../../lib/clock.ts'
import type { JobError } from '../../jobs/events/events.ts'
import { Failure, isJobFailureCode } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Api } from '../api/api.ts'
import type { CommandContext } from '../context.ts'
import { type ProjectOption, withProjectOfJob } from '../api/with-api.ts'
import { CommandFailure } from '../exit.ts'
import { keptEvents } from './kept-events.ts'
import { type Output, paint } from '../output.ts'

export type Add = (usage: string, description: string) => Command

type EventOptions = ProjectOption & { readonly id: string; readonly isFollowing: boolean }

export function addEventCommands(add: Add, context: CommandContext): void {
  add('events <jobId>', 'print the events of a job, one JSON object per line')
    .option('--follow', 'continue until the job ends')
    .action((id: string, { follow, ...options }: ProjectOption & { readonly follow?: true }) =>
      printEvents(context, { ...options, id, isFollowing: follow === true }),
    )
}

/** Throws if it follows a job that fails. */
export function printEvents(context: CommandContext, options: EventOptions): Promise<void> {
  const { output, stop } = context
  return withProjectOfJob(context, options, options.id, async (api, projectId) => {
    const path = `/v2/agent/${projectId}/job/${encodeURIComponent(options.id)}`
    if (!options.isFollowing) {
      for await (const event of keptEvents(api, path)) output.print(JSON.stringify(event))
      return
    }
    // A job that does not exist is reported at once, rather than after many tries.
    await api.send('GET', path)
    const { followEvents } = await import('./event-reader.ts')
    let error: JobError | null = null
    for await (const update of followEvents({ api, path, clock: systemClock }, 0, stop)) {
      if (update.kind === 'poll')
        throw new Failure('unavailable', 'The service cannot stream the events of this job now.')
      if (update.kind === 'text') continue
      output.print(JSON.stringify(update.event))
      error = update.event.type === 'job_ended' ? update.event.error : null
    }
    if (error)
      throw new CommandFailure('jobFailed', isJobFailureCode(error.code) ? error.code : 'internal', error.message)
  })
}

const shownFiles = 20

/** Prints nothing if nothing changed or the repository cannot be read. */
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
