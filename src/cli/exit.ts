// Ends a command: the table of exit codes, and the text of an error, which is JSON with `--json`.

import { CommanderError } from 'commander'
import { Failure, toFailure } from '../lib/failure.ts'

const exitCodes = {
  ok: { code: 0, about: 'success' },
  failed: { code: 1, about: 'refused, or an unexpected error' },
  usage: { code: 2, about: 'the command line or the settings are wrong; nothing was done' },
  jobFailed: { code: 3, about: 'the watched job failed' },
  unavailable: { code: 4, about: 'no service or database responds, or the data directory or the port is in use' },
  checkFailed: {
    code: 5,
    about:
      '`docent check` or `docent job checks` found problems, `docent debt` too many changes, `docent job replay` other files, or `docent upgrade --rehearse` differences',
  },
  needsInput: { code: 6, about: 'the watched job ended with a question' },
  nothingJudged: {
    code: 7,
    about: '`docent check` could judge nothing, or nothing is known of what `docent debt` asks about',
  },
  stopped: { code: 130, about: 'stopped by a signal before the end' },
} as const
type ExitName = keyof typeof exitCodes

/** A failure with an exit code of its own, which overrides the one that follows from its `code`. */
export class CommandFailure extends Failure {
  readonly exit: ExitName
  constructor(exit: ExitName, code: Failure['code'], message: string) {
    super(code, message)
    this.exit = exit
  }
}

/** The command line is wrong. */
export function usage(message: string): CommandFailure {
  return new CommandFailure('usage', 'invalid_input', message)
}

export type Ending = {
  readonly exitCode: number
  /** For standard error, without a final line break. Undefined: everything is already printed. */
  readonly text: string | undefined
}

/** With `json`, the error is one line with a problem as the API returns it. */
export function describeEnding(error: unknown, json: boolean): Ending {
  if (error instanceof CommanderError) return describeUsage(error, json)
  const failure = toFailure(error)
  const exitCode = exitCodes[exitOf(failure)].code
  if (json) return { exitCode, text: toJson(failure, exitCode) }
  const stack = failure.code === 'internal' && failure !== error ? `\n${stackOf(error)}` : ''
  return { exitCode, text: `docent: ${failure.message}${stack}` }
}

/** Commander prints its own errors, except with `--json`. */
function describeUsage(error: CommanderError, json: boolean): Ending {
  if (error.exitCode === 0) return { exitCode: 0, text: undefined }
  const { code } = exitCodes.usage
  const words = error.code === 'commander.help' ? 'A command is missing.' : error.message.replace(/^error: /, '')
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
