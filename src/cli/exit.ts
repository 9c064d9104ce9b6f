// How a command ends: one table of exit codes, and what a script reads on standard error when it asked for JSON.

import { CommanderError } from 'commander'
import { Failure, toFailure } from '../lib/failure.ts'

export const exitCodes = {
  ok: { code: 0, about: 'it did what it was asked' },
  failed: { code: 1, about: 'it was refused, or something went wrong' },
  usage: { code: 2, about: 'the command line or the settings are wrong; nothing was done' },
  jobFailed: { code: 3, about: 'the job that it watched failed' },
  unavailable: { code: 4, about: 'no service or database answers, or the data or the port are in use' },
  stopped: { code: 130, about: 'a signal ended it before it was done' },
} as const
type ExitName = keyof typeof exitCodes

/** Words that belong to one way of ending, whatever the code of the failure means elsewhere. */
export class CommandFailure extends Failure {
  readonly exit: ExitName
  constructor(exit: ExitName, code: Failure['code'], message: string) {
    super(code, message)
    this.exit = exit
  }
}

/** The caller gave arguments that make no sense together. */
export function usage(message: string): CommandFailure {
  return new CommandFailure('usage', 'invalid_input', message)
}

export type Ending = {
  readonly exitCode: number
  /** For standard error; without the line break of the last line. undefined: all is said. */
  readonly text: string | undefined
}

/** `json`: one line with a problem, as the API has them. */
export function describeEnding(error: unknown, json: boolean): Ending {
  if (error instanceof CommanderError) return describeUsage(error, json)
  const failure = toFailure(error)
  const exitCode = exitCodes[exitOf(failure)].code
  if (json) return { exitCode, text: toJson(failure, exitCode) }
  const stack = failure.code === 'internal' && failure !== error ? `\n${stackOf(error)}` : ''
  return { exitCode, text: `docent: ${failure.message}${stack}` }
}

/** Commander has printed its words already, unless it was told to leave that to us. */
function describeUsage(error: CommanderError, json: boolean): Ending {
  if (error.exitCode === 0) return { exitCode: 0, text: undefined }
  const { code } = exitCodes.usage
  const words = error.message === '(outputHelp)' ? 'A command is missing.' : error.message.replace(/^error: /, '')
  return { exitCode: code, text: json ? toJson(usage(words), code) : undefined }
}

function exitOf(failure: Failure): ExitName {
  if (failure instanceof CommandFailure) return failure.exit
  if (failure.code === 'config_invalid') return 'usage'
  return failure.code === 'unavailable' || failure.code === 'data_in_use' ? 'unavailable' : 'failed'
}

function toJson(failure: Failure, exitCode: number): string {
  const { code, message, details } = failure
  const { title } = failure.meaning
  return JSON.stringify({ title, code, detail: message, ...(details.length > 0 ? { details } : {}), exitCode })
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** For `docent --help`. */
export function exitHelp(): string {
  return Object.values(exitCodes)
    .map(({ code, about }) => `  ${String(code).padEnd(3)}  ${about}`)
    .join('\n')
}
