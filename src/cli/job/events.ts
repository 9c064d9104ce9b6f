// `docent job events`: prints the events of a job for scripts, one JSON object per line.

import type { Command } from 'commander'
import { systemClock } from '../../lib/clock.ts'
import type { EventResponse, JobError } from '../../jobs/events/events.ts'
import { Failure, isJobFailureCode } from '../../lib/failure.ts'
import type { CommandContext } from '../context.ts'
import { type ProjectOption, withProjectOfJob } from '../api/with-api.ts'
import { CommandFailure } from '../exit.ts'
import { keptEvents } from './kept-events.ts'

export type Add = (usage: string, description: string) => Command

type EventOptions = ProjectOption & { readonly id: string; readonly isFollowing: boolean }

export function addEventCommands(add: Add, context: CommandContext): void {
  add('events <jobId>', 'print the events of a job, one JSON object per line')
    .option('--follow', 'continue until the job ends')
    .action((id: string, { follow, ...options }: ProjectOption & { readonly follow?: true }) =>
      printEvents(context, { ...options, id, isFollowing: follow === true }),
    )
}

/** Throws if it follows a job that fails, even if the job was archived after that. */
export function printEvents(context: CommandContext, options: EventOptions): Promise<void> {
  const { output, stop } = context
  return withProjectOfJob(context, options, options.id, async (api, projectId) => {
    const path = `/v2/agent/${projectId}/job/${encodeURIComponent(options.id)}`
    if (!options.isFollowing) {
      for await (const event of keptEvents(api, path)) output.print(JSON.stringify(event))
      return
    }
    // Check that the job exists first. Otherwise, the stream reader would retry many times.
    await api.send('GET', path)
    const { followEvents } = await import('./event-reader.ts')
    let error: JobError | null = null
    for await (const update of followEvents({ api, path, clock: systemClock }, 0, stop)) {
      if (update.kind === 'poll') throw new Failure('unavailable', cannotStream(options.id))
      if (update.kind === 'text') continue
      output.print(JSON.stringify(update.event))
      error = errorAfter(update.event, error)
    }
    if (error) throw jobFailure(error)
  })
}

/** Returns what a command that follows a job throws if the job failed. */
export function jobFailure({ code, message }: JobError): CommandFailure {
  return new CommandFailure('jobFailed', isJobFailureCode(code) ? code : 'internal', message)
}

/** Returns the error of the job after this event. Archiving a job does not change how it ended. */
function errorAfter(event: EventResponse, error: JobError | null): JobError | null {
  if (event.type === 'archived') return error
  return event.type === 'job_ended' ? event.error : null
}

function cannotStream(jobId: string): string {
  return `The service cannot stream events at the moment. Try again, or print the events so far: docent job events ${jobId}`
}
