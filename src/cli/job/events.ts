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

/** Throws if it follows a job that fails or asks a question, even if the job was archived after that. */
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
    let end: JobEnd | undefined
    for await (const update of followEvents({ api, path, clock: systemClock }, 0, stop)) {
      if (update.kind === 'poll') throw new Failure('unavailable', cannotStream(options.id))
      if (update.kind === 'text') continue
      output.print(JSON.stringify(update.event))
      end = endAfter(update.event, end)
    }
    if (end?.error) throw jobFailure(end.error)
    if (end?.outcome === 'needs_input') throw jobQuestion(options)
  })
}

/** Returns what a command that follows a job throws if the job failed. */
export function jobFailure({ code, message }: JobError): CommandFailure {
  return new CommandFailure('jobFailed', isJobFailureCode(code) ? code : 'internal', message)
}

/** Returns what a command that follows a job throws if the job ended with a question. */
export function jobQuestion(options: ProjectOption & { readonly id: string }): CommandFailure {
  const reply = `Send your response: docent job message ${options.id}${projectPart(options)} --prompt TEXT`
  return new CommandFailure('needsInput', 'job_not_active', `${options.id} ended with a question. ${reply}`)
}

/** The option for the project in a command that is shown. */
export function projectPart({ project }: ProjectOption): string {
  return project === undefined ? '' : ` --project ${project}`
}

type JobEnd = Extract<EventResponse, { readonly type: 'job_ended' }>

/** Returns how the job has ended as of this event: archiving a job does not change how it ended. */
function endAfter(event: EventResponse, end: JobEnd | undefined): JobEnd | undefined {
  if (event.type === 'archived') return end
  return event.type === 'job_ended' ? event : undefined
}

function cannotStream(jobId: string): string {
  return `The service cannot stream events at the moment. Try again, or print the events so far: docent job events ${jobId}`
}
