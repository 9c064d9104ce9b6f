// `docent job replay`: runs the calls of a transcript again on a clone of the repository, and reports the files that differ
// after a turn. Needs no service, and changes nothing in the repository.

import { readFile } from 'node:fs/promises'
import { createTools } from '../../agent/tools/all.ts'
import { borrowRepository } from '../../git/borrow.ts'
import { replayTranscript } from '../../jobs/transcript/replay/replay.ts'
import type { ReplayReport } from '../../jobs/transcript/replay/report.ts'
import { createLog } from '../../lib/observability/log.ts'
import { nameTricky, plainText, shorten } from '../../lib/plain-text.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure, usage } from '../exit.ts'
import { type Output, paint } from '../output.ts'
import { parseTranscript } from './transcript-lines.ts'

export type ReplayOptions = { readonly repository: string; readonly json?: true }

/** As in the service. */
const maxFileBytes = 10 * 1024 * 1024

/** Throws `checks_failed` if a file differs after a turn, and `invalid_input` if no turn could be compared. */
export async function replayFile(context: CommandContext, file: string, options: ReplayOptions): Promise<void> {
  const { output } = context
  const text = await readFile(file, 'utf8').catch(() => {
    throw usage(`The file ${plainText(file)} cannot be read.`)
  })
  const transcript = parseTranscript(text)
  const limits = { maxRepositoryFiles: Infinity, maxFileBytes, log: createLog('silent') }
  const borrowed = await borrowRepository(options.repository, limits)
  try {
    const { repository } = borrowed
    const report = await replayTranscript({ repository, tools: createTools(), signal: context.stop }, transcript)
    if (options.json) output.print(JSON.stringify(report))
    else printReport(output, report)
    judge(report)
  } finally {
    await borrowed.close()
  }
}

function judge({ differences, turns }: ReplayReport): void {
  if (differences.length > 0) {
    const differing = differences.length === 1 ? '1 file differs.' : `${differences.length} files differ.`
    throw new CommandFailure('checkFailed', 'checks_failed', differing)
  }
  if (turns === 0) throw new CommandFailure('failed', 'invalid_input', 'No turn could be compared.')
}

function printReport(output: Output, { turns, differences, words, notCompared }: ReplayReport): void {
  for (const { run, turn, path, stored, replayed } of differences) {
    const change = `${shortDigest(stored)} in the transcript, ${shortDigest(replayed)} now`
    output.print(paint(output, 'red', `Run ${run}, turn ${turn}: ${plain(path)} differs: ${change}`))
  }
  for (const { run, turn, tool, stored, replayed } of words) {
    output.print(`Run ${run}, turn ${turn}: ${plain(tool)} says it in other words`)
    output.print(`  then: ${plain(stored)}`)
    output.print(`  now:  ${plain(replayed)}`)
  }
  for (const { run, turn, reason } of notCompared) {
    output.print(`Run ${run}${turn === null ? '' : `, turn ${turn}`}, not compared: ${plain(reason)}`)
  }
  const rest = differences.length === 0 ? 'The files are the same after each.' : ''
  output.print(`Compared ${turns === 1 ? '1 turn' : `${turns} turns`}. ${rest}`.trimEnd())
}

function shortDigest(sha256: string | null): string {
  return sha256 === null ? 'no file' : sha256.slice(0, 12)
}

function plain(text: string): string {
  return nameTricky(shorten(text, 300)).replaceAll(/\s/g, ' ')
}
