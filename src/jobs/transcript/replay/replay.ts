// Replays the transcript of a job: runs the stored calls of each run on the commit that it started from, and compares the
// files after each turn. Asks no model, and writes nothing to the repository.

import type { Tool } from '../../../agent/tool.ts'
import type { BorrowedRepository } from '../../../git/borrow.ts'
import { createOverlay, type Overlay } from '../../../git/write/overlay.ts'
import type { Edit } from '../../../git/types.ts'
import type { TranscriptRun, TranscriptTurn } from '../response.ts'
import { replayCalls } from './replay-calls.ts'
import type { NotCompared, ReplayReport, TreeDifference, WordDifference } from './report.ts'
import { compareWith, digest } from './tree-state.ts'

export type Transcript = { readonly runs: readonly TranscriptRun[]; readonly turns: readonly TranscriptTurn[] }

type Deps = { readonly repository: BorrowedRepository; readonly tools: readonly Tool[]; readonly signal: AbortSignal }

type Found = {
  turns: number
  readonly differences: TreeDifference[]
  readonly words: WordDifference[]
  readonly notCompared: NotCompared[]
  /** The files that the edits of earlier runs left, by digest: a later run may have taken them over. */
  readonly contents: Map<string, Uint8Array>
}

/** Throws when a tool fails for a reason that is not the call's, and the reason of the signal. */
export async function replayTranscript(deps: Deps, { runs, turns }: Transcript): Promise<ReplayReport> {
  const found: Found = { turns: 0, differences: [], words: [], notCompared: [], contents: new Map() }
  for (const run of runs) {
    const own = turns.filter(({ runId }) => runId === run.id)
    const began = await begin(deps, run, found)
    if (typeof began === 'string') found.notCompared.push({ run: run.number, turn: null, reason: began })
    else await replayRun(deps, { run, turns: own, ...began }, found)
  }
  const { contents: _, ...report } = found
  return report
}

type Began = { readonly overlay: Overlay; readonly startCommit: string }

/** Returns the reason if the run cannot be replayed. */
async function begin({ repository }: Deps, run: TranscriptRun, { contents }: Found): Promise<Began | string> {
  const { startCommit, branch } = run
  if (startCommit === null) return 'It did not begin to work.'
  if (!(await repository.has(startCommit))) {
    return `The repository has no commit ${startCommit}, which it started from. Fetch it, such as with: git fetch origin ${branch ?? ''}`
  }
  const carried: Edit[] = []
  for (const { path, mode, sha256 } of run.carried) {
    const content = sha256 === null ? null : contents.get(sha256)
    if (content === undefined)
      return `It began with an edit of ${path}, which the replay of the earlier runs did not give.`
    carried.push({ path, mode, content })
  }
  return { overlay: await createOverlay(repository, startCommit, carried), startCommit }
}

type Running = Began & { readonly run: TranscriptRun; readonly turns: readonly TranscriptTurn[] }

async function replayRun(deps: Deps, { run, turns, overlay, startCommit }: Running, found: Found): Promise<void> {
  const comparison = compareWith(await deps.repository.tree(startCommit))
  await comparison.compare(run.carried, overlay)
  if (run.pathPolicy === null) {
    const reason = 'An earlier release did not store its path policy: files that it protected may differ.'
    found.notCompared.push({ run: run.number, turn: null, reason })
  }
  const { pathPolicy } = run
  for (const [index, turn] of turns.entries()) {
    if (turn.number !== index + 1) {
      const reason = 'The transcript has not all turns before this one.'
      found.notCompared.push({ run: run.number, turn: turn.number, reason })
      return
    }
    if (turn.results === null) continue
    const { tools, repository, signal } = deps
    const treeOf = async (commit: string) =>
      (await repository.has(commit)) ? await repository.tree(commit) : undefined
    const calls = { tools, workspace: overlay, pathPolicy, treeOf, signal }
    const words = await replayCalls(turn, calls)
    const differing = await comparison.compare(turn.edits, overlay)
    if (turn.isRedacted && differing.length > 0) {
      const reason =
        'A text of this turn was redacted, so its edits are not known. The later turns of the run were not replayed.'
      found.notCompared.push({ run: run.number, turn: turn.number, reason })
      return
    }
    found.turns += 1
    if (!turn.isRedacted) found.words.push(...words)
    found.differences.push(...differing.map((one) => ({ run: run.number, turn: turn.number, ...one })))
  }
  for (const { content } of overlay.edits()) if (content !== null) found.contents.set(digest(content), content)
}
