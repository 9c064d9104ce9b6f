// Runs the stored calls of one turn on the workspace of a replay. Results that depend on more than the workspace (checks,
// the end of a run, refusals by the policy of the project) are taken from the transcript.

import { EditRefused } from '../../../agent/refused-edit.ts'
import { maxCallsPerTurn, runTools } from '../../../agent/run-tools.ts'
import type { Tool } from '../../../agent/tool.ts'
import type { Workspace } from '../../../agent/workspace.ts'
import type { Tree } from '../../../git/types.ts'
import { createFindingOf } from '../../policy/judge-path.ts'
import type { TranscriptResult, TranscriptRun, TranscriptTurn } from '../response.ts'
import { firstDifference, type WordDifference } from './report.ts'

export type CallReplay = {
  /** The files of a commit; undefined if the repository does not have it. */
  readonly treeOf: (commit: string) => Promise<Pick<Tree, 'read'> | undefined>
  readonly tools: readonly Tool[]
  readonly workspace: Workspace
  readonly pathPolicy: TranscriptRun['pathPolicy']
  readonly signal: AbortSignal
}

const unchanged = (text: string): string => text
const redactor = { hide: unchanged, redact: unchanged }

/** Returns where the tools use other words now. */
export async function replayCalls(
  { run, number, response, results }: TranscriptTurn,
  replay: CallReplay,
): Promise<readonly WordDifference[]> {
  const words: WordDifference[] = []
  for (const call of response?.calls.slice(0, maxCallsPerTurn) ?? []) {
    const stored = results?.find(({ callId }) => callId === call.id)
    if (!stored || isTaken(stored, replay.tools)) continue
    const ran = await runTools([call], replay.tools, {
      workspace: guard(replay, stored),
      redactor,
      refuseFinish: () => Promise.resolve(undefined),
      signal: replay.signal,
    })
    const text = ran.results[0]?.text ?? ''
    if (text !== stored.text) words.push({ run, turn: number, tool: call.name, ...firstDifference(stored.text, text) })
  }
  return words
}

/** Whether the stored result is taken without running the tool: a repository has no sources, and perhaps less history. A refusal that names no edit came before the first one. */
function isTaken({ tool, facts }: TranscriptResult, tools: readonly Tool[]): boolean {
  if (tools.find(({ name }) => name === tool)?.readsOutside === true) return true
  if (facts?.['source'] !== undefined || facts?.['at'] !== undefined) return true
  return facts?.['refusal'] === 'policy' && refusedPath(facts) === undefined
}

function refusedPath(facts: TranscriptResult['facts']): string | undefined {
  const refused = facts?.['refused'] as { readonly path?: unknown } | undefined
  return typeof refused?.path === 'string' ? refused.path : undefined
}

/** Refuses the edit that was refused in the run, with the same words, and names the files that its policy protected. */
function guard(replay: CallReplay, { text, facts }: TranscriptResult): Workspace {
  const { workspace, pathPolicy } = replay
  const findingOf = createFindingOf({ allow: [], deny: [], unprotect: [], scope: [], ...pathPolicy })
  const refused = facts?.['refusal'] === 'policy' ? refusedPath(facts) : undefined
  const refuse = (...paths: readonly string[]) => {
    if (refused === undefined || !paths.includes(refused)) return
    throw new EditRefused({ path: refused, line: null, message: '' }, text)
  }
  return {
    list: () => workspace.list(),
    read: (path) => workspace.read(path),
    search: (query, signal) => workspace.search(query, signal),
    write: async (path, content) => {
      refuse(path)
      await workspace.write(path, content)
    },
    move: async (from, to) => {
      refuse(from, to)
      await workspace.move(from, to)
    },
    remove: async (path) => {
      refuse(path)
      await workspace.remove(path)
    },
    editProblem: (path) => findingOf(path)?.message,
    ...branchOf(replay, facts),
  }
}

/** The base of the branch, as far as the result of a revert names it. */
function branchOf({ treeOf }: CallReplay, facts: TranscriptResult['facts']): Pick<Workspace, 'branch'> {
  const { base = '', paths = [] } = (facts?.['reverted'] ?? {}) as { base?: string; paths?: readonly string[] }
  if (base === '') return {}
  const [previousPath = null, path] = paths
  const counts = { binary: false, additions: 0, deletions: 0, patch: '' }
  const moved = path === undefined ? [] : [{ path, previousPath, status: 'renamed' as const, ...counts }]
  return {
    branch: {
      base: () => Promise.resolve(base),
      files: () => Promise.resolve(moved),
      read: async (name) => await (await treeOf(base))?.read(name),
    },
  }
}
