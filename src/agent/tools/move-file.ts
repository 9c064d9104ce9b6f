// The tool `move_file`: moves a file and updates every reference to it, each in the style in which it was written. All new
// contents are computed before anything is written.

import { posix } from 'node:path'
import { z } from 'zod'
import { readJson } from '../../docs-syntax/json.ts'
import { lineAt, lineStarts, type Splice } from '../../docs-syntax/text.ts'
import { keyedData } from '../../sites/by-path/known-files.ts'
import { isAsciidocPath } from '../../docs-syntax/asciidoc/asciidoc.ts'
import { fitLines, pathField, readDescription, refuse, showPath } from './result.ts'
import { type FileChange, describeChanges, metaRemoval, splitByRefusal, writeChanges } from './changes.ts'
import type { Reference } from './links/reference.ts'
import { describeTranslations } from './links/left-behind.ts'
import { describeMentions, findMentions } from './links/mentions.ts'
import { planRedirect } from './links/redirects.ts'
import type { OpenedSites } from './links/open-sites.ts'
import { findReferences, referencesIn } from './links/references.ts'
import { withoutOverlaps } from './links/unlink.ts'
import { suggestPaths } from './suggest.ts'
import { readTextFile } from './text-file.ts'
import type { Tool, ToolContext, ToolResult } from '../tool.ts'

const input = z.object({
  from: pathField(),
  to: pathField(),
  updateLinks: z.boolean().optional(),
  redirect: z.boolean().optional(),
})

type Input = z.infer<typeof input>

export function createMoveFileTool(): Tool<Input> {
  return { name: 'move_file', description: readDescription('move-file', import.meta.url), input, run: moveFile }
}

async function moveFile(call: Input, context: ToolContext): Promise<ToolResult> {
  const { from, to, updateLinks = true } = call
  const { workspace } = context
  if (from === to) return refuse(`${showPath(from)} is at this path already.`)
  if (!(await workspace.read(from)))
    return refuse(`There is no file ${showPath(from)}.${await suggestPaths(workspace, from)}`)
  if (await workspace.read(to))
    return refuse(`There is a file at ${showPath(to)} already: choose another path, or delete it first.`)
  if (updateLinks) return moveWithLinks(call, context)
  await workspace.move(from, to)
  return { text: `[moved ${showPath(from)} to ${showPath(to)}; links to it were not changed]` }
}

async function moveWithLinks({ from, to, redirect = true }: Input, context: ToolContext): Promise<ToolResult> {
  const { workspace } = context
  const { opened, page, isPartial, ...all } = await findReferences(from, context)
  const { found, kept, keptPaths } = splitByRefusal(workspace, all.found)
  const others = found.map(({ file, references }): FileChange => {
    const splices = references.map((reference) => rewriteReference(file.path, reference, to))
    return { file, splices: splices.filter(({ start, end, text }) => file.text.slice(start, end) !== text) }
  })
  const meta = await addToMeta(
    found.flatMap(({ references }) => references),
    { to, context },
  )
  const changes = [...others, ...meta, ...(await moveOwnLinks(opened, { from, to, context }))]
  const plan = redirect ? await planRedirect({ page, to, opened }, context) : undefined
  await workspace.move(from, to)
  await writeChanges(workspace, plan?.change ? withChange(changes, plan.change) : changes)
  const skip = new Set([...keptPaths, to, ...others.flatMap(updatedLines)])
  const mentions = await findMentions(page, { opened, skip, to }, context)
  const notes = [...kept, ...describeMentions(mentions), ...describeTranslations(from, opened)]
  const moved = `moved ${showPath(from)} to ${showPath(to)}`
  const { lines, facts } = describeChanges(moved, changes, { isPartial, notes })
  if (plan?.line === undefined) return { text: fitLines(lines).join('\n'), facts }
  const text = fitLines(lines.toSpliced(1 + facts.files, 0, plan.line)).join('\n')
  return { text, facts: { ...facts, redirect: plan.change ? 'written' : 'not_written' } }
}

/** The lines of AsciiDoc, where the last part of a name often stays. */
function updatedLines({ file, splices }: FileChange): string[] {
  if (!isAsciidocPath(file.path)) return []
  const starts = lineStarts(file.text)
  return splices.map(({ start }) => `${file.path}:${lineAt(starts, start)}`)
}

/** Adds the splices of a change to the other ones of its file. */
function withChange(changes: readonly FileChange[], added: FileChange): FileChange[] {
  const same = changes.filter(({ file }) => file.path === added.file.path)
  const splices = withoutOverlaps([...same.flatMap((one) => one.splices), ...added.splices])
  return [...changes.filter((one) => !same.includes(one)), { file: added.file, splices }]
}

/** A key in `_meta.json` names a page of the same folder, so it is removed if the page moves to another folder. */
function rewriteReference(file: string, reference: Reference, to: string): Splice {
  if (reference.key && posix.dirname(file) !== posix.dirname(to)) return metaRemoval(reference.key)
  return { start: reference.start, end: reference.end, text: reference.rewrite(to) }
}

type Move = { readonly to: string; readonly context: ToolContext }

/** Appends the page's entry in the `_meta.json` of its old folder to the `_meta.json` of its new folder. */
async function addToMeta(references: readonly Reference[], { to, context }: Move): Promise<FileChange[]> {
  const entry = references.find((reference) => reference.key)?.key?.member.node
  if (!entry || references.some((one) => one.key && one.target.base === posix.dirname(to))) return []
  const path = posix.join(posix.dirname(to), keyedData)
  if (context.workspace.editProblem?.(path) !== undefined) return []
  const file = await readTextFile(context.workspace, path)
  const root = 'problem' in file ? undefined : readJson(file.text)
  const last = root?.members.at(-1)
  if ('problem' in file || !last?.key || entry.kind !== 'string') return []
  const indent = /\s*$/.exec(file.text.slice(0, last.start))?.[0] ?? ''
  const text = `,${indent}${JSON.stringify(posix.parse(to).name)}: ${JSON.stringify(entry.value)}`
  return [{ file, splices: [{ start: last.end, end: last.end, text }] }]
}

/** Updates the relative links in the moved file, and its links to itself. */
async function moveOwnLinks(
  opened: OpenedSites,
  { from, to, context }: Move & { from: string },
): Promise<FileChange[]> {
  const file = await readTextFile(context.workspace, from)
  if ('problem' in file) return []
  const sameFolder = posix.dirname(from) === posix.dirname(to)
  const splices = referencesIn(opened, { ...file, path: from }).references.flatMap((reference): Splice[] => {
    const { target, start, end } = reference
    const isOwn = target.path === from
    if (target.form === 'self' || (!isOwn && (sameFolder || target.isRooted))) return []
    return [{ start, end, text: reference.rewrite(isOwn ? to : target.path, to) }]
  })
  return splices.length > 0 ? [{ file: { ...file, path: to }, splices }] : []
}
