// Shows an import while it runs: on a terminal one line that is repainted, elsewhere a line every 10 s. Prints the
// summary at the end.

import type { ImportNews, ImportSummary } from '../../../analytics/import/import-file.ts'
import type { LogFile } from '../../../analytics/import/log-file.ts'
import type { Counts } from '../../../analytics/import/tally.ts'
import { lineReasons } from '../../../analytics/import/wire-page-view.ts'
import { dropReasons } from '../../../analytics/page-view.ts'
import type { Clock } from '../../../lib/clock.ts'
import { plainText } from '../../../lib/plain-text.ts'
import { type Output, paint, printTable } from '../../output.ts'
import type { Screen } from '../../screen.ts'

const repaintMs = 100
const lineMs = 10_000

type Watched = { readonly file: LogFile; readonly screen: Screen; readonly output: Output; readonly clock: Clock }

/** Returns a function that shows the progress of one log. */
export function showImport({ file, screen, output, clock }: Watched): (news: ImportNews) => void {
  const began = clock.now().getTime()
  const state = { shown: began, firstByte: 0 }
  return (news) => {
    const now = clock.now().getTime()
    switch (news.kind) {
      case 'began':
        state.firstByte = file.progress.bytesRead
        screen.print([{ style: 'gray', text: `${file.name}: ${describeStart(news)}` }])
        return
      case 'restarted':
        screen.print([{ style: 'yellow', text: `${file.name} was rotated or truncated: it is imported as a new log.` }])
        return
      case 'waits': {
        const seconds = Math.ceil(news.ms / 1_000)
        screen.print([{ style: 'yellow', text: `! ${news.failure.message} (again in ${seconds} s)` }])
        return
      }
      case 'progress': {
        if (now - state.shown < (output.terminal ? repaintMs : lineMs)) return
        state.shown = now
        const text = describeProgress(file, news.counts(), { ms: now - began, firstByte: state.firstByte })
        if (output.terminal) screen.live([{ style: 'gray', text }])
        else screen.print([{ style: 'gray', text: `… ${text}` }])
      }
    }
  }
}

function describeStart({ format, isDetected, position }: Extract<ImportNews, { kind: 'began' }>): string {
  const text = isDetected ? `format ${format}, detected from the first lines` : `format ${format}`
  return position === 0 ? text : `${text}; continues at byte ${count(position)}`
}

/** `[██████░░░░] 60 %, 12.0 of 20.0 MB, 31,000 lines, 62,000 lines/s, 0:12 left` */
export function describeProgress(
  { size, progress }: Pick<LogFile, 'size' | 'progress'>,
  { lines }: Pick<Counts, 'lines'>,
  { ms, firstByte }: { readonly ms: number; readonly firstByte: number },
): string {
  const { bytesRead } = progress
  const seconds = Math.max(ms, 1) / 1_000
  const speed = `${count(lines)} lines, ${count(Math.round(lines / seconds))} lines/s`
  if (size === undefined || size === 0) return `${megabytes(bytesRead)} MB, ${speed}`
  const part = Math.min(1, bytesRead / size)
  const bar = '█'.repeat(Math.floor(part * 20)).padEnd(20, '░')
  const bytesPerSecond = (bytesRead - firstByte) / seconds
  const left = bytesPerSecond > 0 ? `, ${toMinutes((size - bytesRead) / bytesPerSecond)} left` : ''
  return `[${bar}] ${Math.floor(part * 100)} %, ${megabytes(bytesRead)} of ${megabytes(size)} MB, ${speed}${left}`
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function toMinutes(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function count(number: number): string {
  return number.toLocaleString('en-US')
}

export type NamedSummary = ImportSummary & { readonly file: string }

const words: Readonly<Record<string, string>> = {
  ...dropReasons,
  ...lineReasons,
  too_old: `${dropReasons.too_old}; see docent project update --retention-months`,
}

/** Prints the lines of a log: imported before, accepted and rejected, which add up, with examples of rejected lines. */
export function printSummary(output: Output, summary: NamedSummary): void {
  const { file, format, lines, linesBefore, accepted, rejected, from, damage } = summary
  const before = from > 0 ? [['imported before', count(linesBefore), `the first ${count(from)} bytes`]] : []
  output.print(paint(output, 'bold', `${plainText(file)}${format === undefined ? ' is empty' : ` (${format})`}`))
  const rows = rejected.map((one) => [`  ${plainText(one.reason)}`, count(one.count), words[one.reason] ?? ''])
  printTable(output, ['LINES', count(lines), ''], [...before, ['accepted', count(accepted), ''], ...rows])
  for (const { reason, examples } of rejected) {
    for (const example of examples) output.print(paint(output, 'gray', `  ${plainText(reason)}: ${example}`))
  }
  if (damage !== undefined) output.print(paint(output, 'yellow', damages[damage]))
}

const damages = {
  truncated: 'The compressed data is truncated: everything before the end was imported.',
  corrupt: 'The compressed data is damaged: everything before the damage was imported.',
} as const
