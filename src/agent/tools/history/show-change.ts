// The tool `show_change`: what a commit, or the commits between two others, changed. Files come first, then their diffs as far
// as they fit. It changes no files.

import { z } from 'zod'
import { showInvisible } from '../../../docs-syntax/text.ts'
import { startOf } from '../../../lib/plain-text.ts'
import type { Change, Range, ShownFile } from '../../history.ts'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'
import { count, fitLines, fromOffset, readDescription, refuse, showPath } from '../result.ts'
import { hasPast, historyOf } from './past.ts'

const mostLines = 1_000
const mostCharacters = 2_000
/** A diff with more lines is cut when there are other files; the call for its path shows all of it. */
const mostOfFile = 150

const name = () => z.string().min(1).max(200).optional()
const input = z.object({
  path: z.string().min(1).max(1000).optional(),
  commit: name(),
  from: name(),
  to: name(),
  offset: z.int().min(0).max(10_000_000).optional(),
})

type Input = z.infer<typeof input>

export function createShowChangeTool(): Tool<Input> {
  const description = readDescription('show-change', import.meta.url)
  return { name: 'show_change', description, input, readsOutside: true, isOffered: hasPast, run: showChange }
}

async function showChange(query: Input, context: ToolContext): Promise<ToolResult> {
  const range = rangeOf(query)
  if (!range) return refuse('Give either commit, or from and perhaps to.')
  const { history, path, prefix } = historyOf(query.path, context)
  const change = await history.change(range, path, context.signal)
  if (change.files.length === 0) return { text: `[nothing changed${query.path === undefined ? '' : ' there'}]` }
  return page(toLines(change, prefix), change, query.offset ?? 0)
}

function rangeOf({ commit, from, to }: Input): Range | undefined {
  if (commit !== undefined) return from === undefined && to === undefined ? { commit } : undefined
  return from === undefined ? undefined : { from, to }
}

function toLines({ files }: Change, prefix: string): readonly string[] {
  const isOne = files.length === 1
  return [...files.map((file) => showFile(file, prefix)), ...files.flatMap((file) => showPatch(file, prefix, isOne))]
}

function showFile({ path, previousPath, status, left, patch }: ShownFile, prefix: string): string {
  const from = previousPath === null ? '' : ` from ${showPath(prefix + previousPath)}`
  const lines = patch.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line))
  const added = lines.filter((line) => line.startsWith('+')).length
  return `${showPath(prefix + path)}: ${status}${from}, ${left ?? `+${added} -${lines.length - added}`}`
}

function showPatch({ path, patch }: ShownFile, prefix: string, isOne: boolean): readonly string[] {
  const hunks = patch.indexOf('\n@@')
  if (hunks === -1) return []
  const lines = patch
    .slice(hunks + 1)
    .replace(/\n$/, '')
    .split('\n')
  const shown = isOne ? lines : lines.slice(0, mostOfFile)
  const cut = lines.length - shown.length
  const name = showPath(prefix + path)
  const rest = cut === 0 ? [] : [`[${count(cut, 'more line')} of ${name}: call with this path]`]
  return [`[${name}]`, ...shown.map((line) => showInvisible(startOf(line, mostCharacters))), ...rest]
}

function page(all: readonly string[], { from, to, files, isCut }: Change, offset: number): ToolResult {
  const shown = fitLines(all.slice(offset, offset + mostLines))
  const last = offset + shown.length
  const next = last < all.length ? last : undefined
  if (shown.length === 0) return { text: `[no line beyond offset ${offset}]` }
  const more = next === undefined ? '' : `; more follow, read on with offset ${next}`
  const where = from === undefined ? `in ${to.slice(0, 10)}` : `from ${from.slice(0, 10)} to ${to.slice(0, 10)}`
  const cut = isCut ? ', and more, which path can narrow' : ''
  const head = `[${count(files.length, 'file')} changed ${where}${cut}${more}]`
  return { text: [head, ...shown].join('\n'), ...fromOffset(next) }
}
