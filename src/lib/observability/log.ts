// The log: JSON lines on standard error, because commands print their results on standard output. A line about an error
// contains its message and stack, and never the properties that a driver or a client adds to an error: statements with
// their values, requests with their prompts, responses.

import { type Logger, destination, pino } from 'pino'
import { Failure, type FailureCode } from '../failure.ts'
import type { LogLevel } from './log-level.ts'
import { shorten } from '../plain-text.ts'
import { currentTrace } from './trace.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error' | 'child'>

/** `redact` gets every line before it is written. */
export function createLog(level: LogLevel, redact: (line: string) => string = (line) => line): Log {
  const out = destination({ dest: 2, sync: true })
  return pino(createLogOptions(level), { write: (line) => void out.write(redact(line)) })
}

/** Exported for tests, which read the lines. */
function createLogOptions(level: LogLevel) {
  return {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    mixin: currentTrace,
    serializers: { err: (error: unknown) => describeError(error) },
  }
}

/** Their messages quote the model, and so the instruction and the files. They are stored with the job, not logged. */
const quotingCodes: readonly FailureCode[] = ['model_refused', 'model_not_configured', 'context_exceeded']
const longestMessage = 300

/** Name, message and stack of the error and its causes; no messages for the causes of a failure of the model. */
export function describeError(error: unknown, isSilent = false): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`
  const code = error instanceof Failure ? error.code : undefined
  const head = code === undefined ? error.name : `${error.name} ${code}`
  const says = isSilent || quotingCodes.some((one) => one === code) ? '' : `: ${firstLine(error.message)}`
  const frames = (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line))
  const own = [head + says, ...frames].join('\n')
  if (error.cause === undefined) return own
  const quotes = isSilent || code?.startsWith('model_') || code === 'context_exceeded'
  return `${own}\ncaused by ${describeError(error.cause, quotes)}`
}

function firstLine(message: string): string {
  const [line = ''] = message.split('\n')
  return shorten(line, longestMessage)
}
