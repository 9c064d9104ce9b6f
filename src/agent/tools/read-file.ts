// The tool `read_file`: returns the lines of a text file, in parts if it is long. The head line states which lines are
// shown, so that the model does not take a part for the whole file.

import { z } from 'zod'
import { findInvisible, showInvisible, withLineFeeds } from '../../docs-syntax/text.ts'
import { count, pathField, readDescription, refuse, showPath } from './result.ts'
import { factsOfPlace, filesOf, noSources, placeOf } from '../sources.ts'
import { historyOf } from './history/past.ts'
import { suggestPaths } from './suggest.ts'
import { readTextFile } from './text-file.ts'
import { type ResultFacts, type Tool, type ToolContext, type ToolResult, maxResultCharacters } from '../tool.ts'
import type { Files } from '../workspace.ts'
import { startOf } from '../../lib/plain-text.ts'

const maxLines = 2000
const headCharacters = 1300

const lineNumber = z.int().min(1).max(100_000_000)
const input = z.object({
  path: pathField(),
  startLine: lineNumber.optional(),
  endLine: lineNumber.optional(),
  numbers: z.boolean().optional(),
  at: z.string().min(1).max(200).optional(),
})

type Input = z.infer<typeof input>
type Part = { readonly path: string; readonly first: number; readonly last: number; readonly total: number }

export function createReadFileTool(): Tool<Input> {
  return { name: 'read_file', description: readDescription('read-file', import.meta.url), input, run: readFile }
}

async function readFile(wanted: Input, context: ToolContext): Promise<ToolResult> {
  if (wanted.at !== undefined) return await readAt({ ...wanted, at: wanted.at }, context)
  const { workspace, sources = noSources } = context
  const place = placeOf(wanted.path, sources)
  const result = await show(wanted, filesOf(place, workspace))
  return place.source ? { ...result, facts: { ...result.facts, ...factsOfPlace(place) } } : result
}

async function readAt({ at, ...wanted }: Input & { readonly at: string }, context: ToolContext): Promise<ToolResult> {
  const { history, path = '' } = historyOf(wanted.path, context)
  const { commit, files } = await history.at(at, context.signal)
  const name = `${wanted.path} at ${commit.slice(0, 10)}`
  const result = await show({ ...wanted, path }, files, name)
  return {
    ...result,
    facts: { ...result.facts, ...factsOfPlace(placeOf(wanted.path, context.sources ?? noSources)), at: commit },
  }
}

async function show(wanted: Input, files: Files, name = wanted.path): Promise<ToolResult> {
  const { path, startLine = 1, endLine, numbers = false } = wanted
  const file = await readTextFile(files, path)
  if ('problem' in file) {
    return refuse(file.problem === 'missing' ? file.reason + (await suggestPaths(files, path)) : file.reason)
  }
  if (file.text === '') return { text: `[${showPath(path)} is empty]` }
  const lines = withLineFeeds(file.text).text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  if (startLine > lines.length) return refuse(`${showPath(path)} has only ${count(lines.length, 'line')}.`)
  if (endLine !== undefined && endLine < startLine) return refuse('endLine is before startLine.')
  const named = numbers ? lines.map((line, index) => `${index + 1}: ${line}`) : lines
  const shown = takeLines(named, startLine, Math.min(endLine ?? lines.length, startLine + maxLines - 1))
  const part = { path: name, first: startLine, last: startLine + shown.lines.length - 1, total: lines.length }
  const text = `[${head(part)}${notes(file.text, shown)}]\n${shown.lines.join('')}`
  return { text: startOf(text, maxResultCharacters), facts: factsOf(part, shown) }
}

function head({ path, first, last, total }: Part): string {
  const name = showPath(path)
  if (first === 1 && last === total) return `all ${count(total, 'line')} of ${name}`
  const next = last < total ? `; read on with startLine ${last + 1}` : ''
  return `lines ${first}-${last} of ${total} of ${name}${next}`
}

function factsOf({ last, total }: Part, { hidden, cut }: Shown): ResultFacts {
  const next = last < total ? { next: last + 1 } : {}
  return { ...next, isCut: cut > 0, isEscaped: hidden > 0 }
}

function notes(text: string, shown: Shown): string {
  const hidden = shown.hidden === 0 ? '' : `; ${count(shown.hidden, 'invisible character')} shown as \\u{…}`
  const cut = shown.cut === 0 ? '' : `; the line is longer than can be shown: ${shown.cut} characters of it are cut off`
  const end = /[\n\r]$/.test(text) ? '' : '; the file does not end with a line break'
  return hidden + cut + end
}

type Shown = { readonly lines: readonly string[]; readonly hidden: number; readonly cut: number }

/** Takes as many lines as fit. If not even the first line fits, takes its beginning. */
function takeLines(all: readonly string[], first: number, last: number): Shown {
  const lines: string[] = []
  let room = maxResultCharacters - headCharacters
  let hidden = 0
  for (const line of all.slice(first - 1, last)) {
    if (lines.length > 0 && line.length > room) break
    const start = startOf(line, room)
    const shown = showInvisible(start)
    if (lines.length > 0 && shown.length > room) break
    hidden += findInvisible(start).length
    if (shown.length > room || start.length < line.length)
      return { lines: [startOf(shown, room)], hidden, cut: Math.max(1, line.length - room) }
    lines.push(shown)
    room -= shown.length
  }
  return { lines, hidden, cut: 0 }
}
