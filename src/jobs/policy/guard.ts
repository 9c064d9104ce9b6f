// Wraps the workspace of a run and enforces the policy of the project. A refused edit throws `policy_refused`, which the
// model reads; the message names the setting that would allow the edit. An edit that restores a file to its state before
// the run is always accepted, so a change of an earlier run can be undone after the policy became stricter.

import type { Workspace } from '../../agent/workspace.ts'
import { EditRefused } from '../../agent/refused-edit.ts'
import { findRefusedContent } from './content/judge-content.ts'
import type { JudgedBase, Judging } from './judge-edits.ts'
import { findRefusedIncludes } from './site/judge-includes.ts'
import { createFindingOf } from './judge-path.ts'
import { findSecretsIn } from './judge.ts'
import type { Finding } from './verdict.ts'
import { sayFinding } from './words.ts'

/** The tree that the edits change is the one that the run started from. */
export function guardWorkspace(workspace: Workspace, judging: Judging): Workspace {
  const { policy, base } = judging
  const findingOf = createFindingOf(policy)
  const refuseUnlessOld = async (path: string, content: Uint8Array | undefined): Promise<void> => {
    const finding = findingOf(path)
    if (finding && !(await isAsBefore(base, path, content))) throw toRefusal(finding)
  }
  return {
    list: () => workspace.list(),
    read: (path) => workspace.read(path),
    search: (query, signal) => workspace.search(query, signal),
    write: async (path, content) => {
      await refuseUnlessOld(path, content)
      await refuseSecrets(workspace, path, content)
      await refuseContent(workspace, path, content, judging)
      await workspace.write(path, content)
    },
    move: async (from, to) => {
      if (findingOf(from) || findingOf(to)) {
        const content = await workspace.read(from)
        await refuseUnlessOld(from, undefined)
        await refuseUnlessOld(to, content)
      }
      await workspace.move(from, to)
    },
    remove: async (path) => {
      await refuseUnlessOld(path, undefined)
      await workspace.remove(path)
    },
    editProblem: (path) => findingOf(path)?.message,
    ...(workspace.branch ? { branch: workspace.branch } : {}),
  }
}

/** `content` is undefined if the edit deletes the file. */
async function isAsBefore(base: JudgedBase, path: string, content: Uint8Array | undefined): Promise<boolean> {
  const entry = base.entry(path)
  if (!entry || !content) return !entry && !content
  if (entry.kind !== 'file' || entry.size !== content.length) return false
  const old = await base.read(path)
  return old !== undefined && Buffer.compare(old, content) === 0
}

/** Refuses secrets that the file does not already contain. */
async function refuseSecrets(workspace: Workspace, path: string, content: Uint8Array): Promise<void> {
  const edit = { path, content, mode: '100644' } as const
  if (findSecretsIn(new Map(), [edit]).length === 0) return
  const old = await workspace.read(path)
  const [finding] = findSecretsIn(new Map(old ? [[path, old]] : []), [edit])
  if (finding) throw toRefusal(finding)
}

/** Refuses content that neither the file nor the tree that the run started from contains. */
async function refuseContent(
  workspace: Workspace,
  path: string,
  content: Uint8Array,
  { policy, ...judging }: Judging,
): Promise<void> {
  const old = await workspace.read(path)
  const { imageHosts } = policy
  const change = {
    ...judging,
    edits: [{ path, content, mode: '100644' } as const],
    before: new Map(old ? [[path, old]] : []),
    imageHosts,
  }
  const [finding] = [...(await findRefusedContent(change)), ...findRefusedIncludes(change)]
  if (finding) throw toRefusal(finding)
}

function toRefusal(finding: Finding): EditRefused {
  const { path, line, message, isGrave = false } = finding
  const remedy = finding.remedy === null ? '' : ` Do not look for another way: ${finding.remedy}.`
  return new EditRefused(
    {
      path,
      line,
      message,
      ...(finding.remedy === null ? {} : { remedy: finding.remedy }),
      ...(isGrave ? { isGrave } : {}),
    },
    `Nothing was changed: ${sayFinding(finding)}.${remedy}`,
  )
}
