// A check as GitHub Actions shows it: commands on standard output, which become annotations beside lines
// (https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands), and a summary in Markdown.

import { shorten } from '../../lib/plain-text.ts'
import type { Note } from './notes.ts'

/** GitHub shows no more of each level, for one step. */
const mostOfLevel = 10
/** A step may write 1 MiB of summary. A row has two long cells, of 900 bytes each at most. */
const mostRows = 500
const longestCell = 300

const commands = { error: 'error', warning: 'warning', note: 'notice' } as const

export function toWorkflowCommands(notes: readonly Note[]): readonly string[] {
  const shown = Map.groupBy(notes, ({ level }) => level)
    .values()
    .flatMap((some) => some.slice(0, mostOfLevel))
  return [...shown].map(({ path, line, kind, level, text }) => {
    const properties = { file: path, line: String(line), title: kind }
    const given = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(value)}`)
    return `::${commands[level]} ${given.join(',')}::${escapeData(text)}`
  })
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** All problems, as far as GitHub takes them. Empty without problems. */
export function toSummary(notes: readonly Note[]): string {
  if (notes.length === 0) return ''
  const rows = notes
    .slice(0, mostRows)
    .map(({ path, line, kind, level, text }) =>
      [level, `${path}:${line}`, kind, text].map((cell) => toCell(cell)).join(' | '),
    )
  const left = notes.length - rows.length
  const more = left > 0 ? ['', `${left} more are in the log of \`docent check --format json\`.`] : []
  return [
    '| level | place | kind | problem |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => `| ${row} |`),
    ...more,
    '',
  ].join('\n')
}

/** The words of pages are text and nothing else: no link, image or HTML. */
function toCell(text: string): string {
  const line = shorten(text.replaceAll(/\s+/g, ' '), longestCell)
  return line.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`)
}
