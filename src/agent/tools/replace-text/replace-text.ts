// The tool `replace_text`: replaces a text in many files, or inserts one into many pages, or changes nothing. With `prose`
// and `code` it reads pages as the built-in model does: whole mentions, and links to headings that change with it.

import { z } from 'zod'
import { applySplices, type Splice } from '../../../docs-syntax/text.ts'
import { count, findTooLong, fitLines, readDescription, refuse, showPath } from '../result.ts'
import { encodeText, refuseText, type TextFile } from '../text-file.ts'
import type { Tool, ToolContext, ToolResult } from '../../tool.ts'
import type { Workspace } from '../../workspace.ts'
import { changedLines, showLines } from '../show-lines.ts'
import { writeTogether } from '../write-together.ts'
import { isPlace, planInsertion } from './insert.ts'
import { type Plan, type PlannedFile, planReplacement } from './plan.ts'

const mostFiles = 2_000
const mostLinesNamed = 8
const shownFiles = 3
const mostSkipped = 50

const input = z.object({
  pattern: z.string().min(1).max(1000).optional(),
  insert: z.string().max(500).optional(),
  newText: z.string().max(10_000),
  glob: z.string().max(500).optional(),
  exclude: z.string().max(500).optional(),
  in: z.enum(['all', 'prose', 'code']).optional(),
  dryRun: z.boolean().optional(),
})

type Input = z.infer<typeof input>
type Where = Pick<Input, 'glob' | 'exclude' | 'dryRun'>

export function createReplaceTextTool(): Tool<Input> {
  return {
    name: 'replace_text',
    description: readDescription('replace-text', import.meta.url),
    input,
    run,
  }
}

async function run(
  { pattern, insert, newText, in: scope, ...where }: Input,
  context: ToolContext,
): Promise<ToolResult> {
  if (insert !== undefined && pattern === undefined && scope === undefined)
    return insertText(insert, newText, where, context)
  if (insert !== undefined || pattern === undefined || scope === undefined)
    return refuse('Give `pattern` with `in`, or `insert` alone.')
  return replaceText({ pattern, newText, in: scope, ...where }, context)
}

type Replacement = Where & { readonly pattern: string; readonly newText: string; readonly in: 'all' | 'prose' | 'code' }

async function replaceText(query: Replacement, { workspace, signal }: ToolContext): Promise<ToolResult> {
  const { pattern, newText, in: scope, glob, exclude, dryRun = false } = query
  if (/[\n\r\0]/.test(pattern)) return refuse('The pattern must be a single line; change several lines with edit_file.')
  if (pattern === newText) return refuse('newText is the same as pattern.')
  if (scope === 'prose' && /[\n\r]/.test(newText)) return refuse('In prose newText must be a single line.')
  if (scope === 'prose' && newText === '')
    return refuse('In prose newText cannot be empty; delete with edit_file, or with in: all.')
  const plan = await planReplacement(workspace, { from: pattern, to: newText, scope, glob, exclude }, signal)
  if (plan.isPartial) return refuse('Nothing was replaced: there are too many places. Narrow it with glob or exclude.')
  if (plan.files.length === 0)
    return { text: [`[nothing found to replace${left(plan)}]`, ...sayUnread(plan)].join('\n') }
  const texts = plan.files.map(withAfter)
  const problem = await writeAll(workspace, texts, dryRun)
  if (problem !== undefined) return refuse(`Nothing was replaced: ${problem}`)
  return { text: describe(plan, texts, dryRun), facts: { files: texts.length } }
}

async function insertText(place: string, newText: string, where: Where, context: ToolContext): Promise<ToolResult> {
  const { glob, exclude, dryRun = false } = where
  if (!isPlace(place)) return refuse('`insert` is `frontmatter`, `title`, `end`, or a heading that begins with #.')
  if (newText.trim() === '') return refuse('newText is empty.')
  const wanted = { place, text: newText, glob, exclude }
  const { files, skipped } = await planInsertion(context.workspace, wanted, context.signal)
  const texts = files.map(withAfter)
  const problem = await writeAll(context.workspace, texts, dryRun)
  if (problem !== undefined) return refuse(`Nothing was inserted: ${problem}`)
  const done = dryRun ? 'would insert' : 'inserted'
  const pages = texts.length === 0 ? 'nothing to insert' : `${done} into ${count(texts.length, 'page')}`
  const shown = texts
    .slice(0, shownFiles)
    .flatMap(({ path, after, lines }) => [`${showPath(path)}:`, ...showLines(after, [lines])])
  const more = skipped.length > mostSkipped ? [`and ${skipped.length - mostSkipped} more skipped`] : []
  const left = [...skipped.slice(0, mostSkipped).map((one) => `skipped: ${one}`), ...more]
  const named = texts.map(({ path, lines }) => `${showPath(path)}: line ${lines.first}`)
  const text = [`[${pages}; ${skipped.length} skipped]`, ...fitLines([...shown, ...left, ...named])].join('\n')
  return { text, facts: { files: texts.length } }
}

type Changed = TextFile & { readonly splices: readonly Splice[]; readonly after: string }

function withAfter<File extends TextFile & { readonly splices: readonly Splice[] }>(file: File) {
  return { ...file, after: applySplices(file.text, file.splices) }
}

/** Writes all files, unless it is a dry run. Returns the reason why it writes no file. */
async function writeAll(workspace: Workspace, files: readonly Changed[], dryRun: boolean): Promise<string | undefined> {
  const problem = findProblem(workspace, files)
  if (problem !== undefined || dryRun) return problem
  const writes = files.map(({ path, after, hasMark }) => ({ path, content: encodeText(after, hasMark) }))
  await writeTogether(workspace, writes)
  return undefined
}

function findProblem(workspace: Workspace, files: readonly Changed[]): string | undefined {
  if (files.length > mostFiles) return `it would change ${files.length} files; narrow it with glob.`
  const refused = files.flatMap(({ path }) => {
    const problem = workspace.editProblem?.(path)
    return problem === undefined ? [] : [`${showPath(path)}: ${problem}`]
  })
  if (refused.length > 0) {
    const more = refused.length > 20 ? `\nand ${refused.length - 20} more` : ''
    return `some files may not be edited. Leave them out with exclude.\n${refused.slice(0, 20).join('\n')}${more}`
  }
  const broken = files.find(({ after }) => refuseText(after) !== undefined)
  if (broken) return refuseText(broken.after)
  const [large] = files.flatMap(({ path, text, after }) => {
    const tooLong = findTooLong(text, after)
    return tooLong === undefined ? [] : [`${showPath(path)} ${tooLong}.`]
  })
  return large
}

function describe(plan: Plan, files: readonly (Changed & PlannedFile)[], dryRun: boolean): string {
  const places = files.reduce((sum, { replaced }) => sum + replaced, 0)
  const links = plan.links === 0 ? '' : `; ${count(plan.links, 'link')} to changed headings updated`
  const done = dryRun ? 'would replace' : 'replaced'
  const head = `[${done} ${count(places, 'place')} in ${count(files.length, 'file')}${links}${left(plan)}]`
  const ranges = files.map((file) => changedLines(file.after, file.splices))
  const named = files.map(({ path, replaced }, index) => {
    const numbers = (ranges[index] ?? []).map(({ first }) => first)
    const more = numbers.length > mostLinesNamed ? ', …' : ''
    const lines = numbers.slice(0, mostLinesNamed).join(', ')
    return `${showPath(path)}: ${replaced === 0 ? 'links' : replaced} (${numbers.length === 1 ? 'line' : 'lines'} ${lines}${more})`
  })
  const shown = files.slice(0, shownFiles).flatMap(({ path, after }, index) => {
    return [`${showPath(path)}:`, ...showLines(after, (ranges[index] ?? []).slice(0, 2), 0)]
  })
  return [head, ...fitLines([...shown, ...sayUnread(plan), ...named])].join('\n')
}

function left({ leftInCode, leftElsewhere }: Plan): string {
  const parts = [
    ...(leftInCode > 0 ? [`${leftInCode} in code`] : []),
    ...(leftElsewhere > 0 ? [`${leftElsewhere} in addresses, names and other files`] : []),
  ]
  return parts.length === 0 ? '' : `; left: ${parts.join(', ')}`
}

function sayUnread({ unread }: Plan): readonly string[] {
  return unread.slice(0, 20).map((reason) => `not read: ${reason}`)
}
