// Reads the files that judging a change requires. Everything else in the policy is pure functions.

import { Failure } from '../../lib/failure.ts'
import type { Edit, Repository, Tree } from '../../git/types.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import type { PathPolicy } from '../../projects/settings.ts'
import { type Before, findShown, judgeChange } from './judge.ts'
import { findSiteConfig } from './site-config.ts'
import type { Finding, PolicyVerdict } from './verdict.ts'

export function policyOf(project: Pick<ProjectRow, 'path_policy'>): PathPolicy {
  return { allow: [], deny: [], unprotect: [], ...(JSON.parse(project.path_policy) as Partial<PathPolicy>) }
}

/** `base` is the tree that the edits change. */
export async function judgeEdits(policy: PathPolicy, base: Tree, edits: readonly Edit[]): Promise<PolicyVerdict> {
  return judgeChange({ policy, base, edits, before: await loadBefore(base, edits) })
}

/** Returns the findings to show for a whole branch: code in its site configuration that the base does not run. */
export async function findShownOfBranch(
  repository: Pick<Repository, 'tree'>,
  baseCommit: string,
  headCommit: string,
): Promise<readonly Finding[]> {
  const [base, head] = await Promise.all([repository.tree(baseCommit), repository.tree(headCommit)])
  const edits: Edit[] = []
  for (const { path, oid, kind, mode } of head.entries()) {
    if (kind !== 'file' || base.entry(path)?.oid === oid || !findSiteConfig(path)) continue
    const content = await readFile(head, path)
    edits.push({ path, content: content ?? unreadable, mode: mode === '100755' ? mode : '100644' })
  }
  return findShown(await loadBefore(base, edits), edits)
}

/** Replaces the content of a file that is too large to read. It does not parse as a script, so the change is shown. */
const unreadable = new TextEncoder().encode('}')

async function loadBefore(base: Tree, edits: readonly Edit[]): Promise<Before> {
  const before = new Map<string, Uint8Array>()
  for (const { path } of edits) {
    const content = await readFile(base, path)
    if (content) before.set(path, content)
  }
  return before
}

/** Returns undefined if there is no file at the path, or if it exceeds the size limit. */
async function readFile(tree: Tree, path: string): Promise<Uint8Array | undefined> {
  if (tree.entry(path)?.kind !== 'file') return undefined
  return await tree.read(path).catch((error: unknown) => {
    if (error instanceof Failure && error.code === 'path_refused') return undefined
    throw error
  })
}
