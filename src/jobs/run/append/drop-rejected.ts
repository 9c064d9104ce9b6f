// Leaves out of the change of a run of an automation what people have rejected before, by closing a pull request that had it. Decided
// once; then the same changes are left out, also after a crash. What people ask for in a message is not left out.

import type { Finish } from '../../../agent/tool.ts'
import type { Edit, FileDiff } from '../../../git/types.ts'
import { cut, eventLimits } from '../../events/events.ts'
import { loadContributions } from '../../appends/contribution.ts'
import { applyBlocks, digestOf, parseBlocks } from '../../appends/hunks.ts'
import { type DroppedHunk, listDropped, loadRejected, readDropped } from '../../appends/published-hunks.ts'
import { type LeasedRun, writeAsRun } from '../../queue/lease.ts'
import { addEvents, reach, type RunPart } from '../context.ts'
import type { Edited } from '../edit.ts'

type DropContext = LeasedRun & RunPart<'job' | 'repository', 'clock' | 'db' | 'reached'>

export async function dropRejected(context: DropContext, edited: Edited): Promise<Edited> {
  const { run } = context
  const { finish, edits } = edited
  if (run.dropped !== null) return await without(context, edited, readDropped(run.dropped))
  if (finish.kind !== 'change' || edits.length === 0) return edited
  if ((await loadContributions(context.db, run.id)).length === 0) return edited
  const dropped = await findRepeated(context, edited)
  const rest = await without(context, edited, dropped)
  await writeAsRun(context, async (trx, row) => {
    const set = { dropped: JSON.stringify(dropped), finish: JSON.stringify(rest.finish) }
    await trx.updateTable('runs').set(set).where('id', '=', row.id).execute()
    if (dropped.length > 0) {
      const message = `Left out, because people have rejected the same changes: ${listDropped(dropped)}.`
      await addEvents(trx, row, { type: 'warning', message: cut(message, eventLimits.message) })
    }
  })
  await reach(context, 'dropped hunks stored')
  return rest
}

async function findRepeated(context: DropContext, edited: Edited): Promise<readonly DroppedHunk[]> {
  const rejected = await loadRejected(context.db, context.job, context.deps.clock.now())
  if (rejected.length === 0) return []
  const numbers = new Map(rejected.map(({ digest, number }) => [digest, number]))
  return (await diffOf(context, edited)).flatMap(({ path, patch }) =>
    parseBlocks(patch).flatMap((block) => {
      const digest = digestOf(path, block)
      const number = digest === undefined ? undefined : numbers.get(digest)
      return digest === undefined || number === undefined ? [] : [{ path, digest, number }]
    }),
  )
}

async function diffOf({ repository }: DropContext, { start, edits }: Edited): Promise<readonly FileDiff[]> {
  const draft = await repository.commit({ parent: start, edits, message: 'Draft', date: new Date(0) })
  return await repository.diffFiles(start, draft)
}

async function without(context: DropContext, edited: Edited, dropped: readonly DroppedHunk[]): Promise<Edited> {
  if (dropped.length === 0) return edited
  const files = (await diffOf(context, edited)).filter(({ path }) => dropped.some((one) => one.path === path))
  const changed = new Map<string, Edit | undefined>()
  for (const file of files) {
    const edit = edited.edits.find(({ path }) => path === file.path)
    if (edit) changed.set(file.path, await withoutBlocks(context, edited, { file, edit, dropped }))
  }
  const edits = edited.edits.flatMap((edit) => (changed.has(edit.path) ? (changed.get(edit.path) ?? []) : edit))
  return edits.length > 0 ? { ...edited, edits } : { ...edited, edits, finish: nothingLeft(dropped) }
}

type Dropping = { readonly file: FileDiff; readonly edit: Edit; readonly dropped: readonly DroppedHunk[] }

/** Undefined: nothing of the edit is left. One that cannot be taken apart stays whole. */
async function withoutBlocks(
  { repository }: DropContext,
  { start }: Edited,
  { file, edit, dropped }: Dropping,
): Promise<Edit | undefined> {
  const blocks = parseBlocks(file.patch)
  const digests = new Set(dropped.flatMap(({ path, digest }) => (path === file.path ? [digest] : [])))
  const kept = blocks.filter((block) => !digests.has(digestOf(file.path, block) ?? ''))
  if (kept.length === 0 && file.previousPath === null) return undefined
  const tree = await repository.tree(start)
  const bytes = await tree.read(file.previousPath ?? file.path)
  const before = bytes === undefined ? '' : decode(bytes)
  const after = decode(edit.content ?? new Uint8Array())
  const content = applyBlocks(before, blocks) === after ? applyBlocks(before, kept) : undefined
  return content === undefined ? edit : { ...edit, content: new TextEncoder().encode(content) }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function nothingLeft(dropped: readonly DroppedHunk[]): Finish {
  const reason = `People have rejected everything that this run would change: ${listDropped(dropped)}. Nothing was published.`
  return { kind: 'no_change', reason }
}
