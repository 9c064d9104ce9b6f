// Reads the files that judging a change requires. Everything else in the policy is pure functions.

import type { SiteTree } from '../../sites/tree.ts'
import { contentOf } from '../../git/read/content.ts'
import type { Edit, Tree } from '../../git/types.ts'
import type { ProjectRow } from '../../postgres/schema.ts'
import type { PathPolicy } from '../../projects/settings.ts'
import type { HostPlace } from './content/change.ts'
import { findRefusedContent, findShownContent } from './content/judge-content.ts'
import type { ReadSyntax } from './content/read/threads.ts'
import { type Before, judgeChange } from './judge.ts'
import type { JobPaths } from './judge-path.ts'
import { createIsExpected } from './site/expected.ts'
import { findShownFiles } from './site/judge-files.ts'
import { findTooManyRedirects, refuseOtherHosts } from './site/redirect-limit.ts'
import { findRefusedIncludes, findShownIncludes } from './site/judge-includes.ts'
import type { Finding } from './verdict.ts'

/** The policy of the project, and the scope and the limit of redirects of the job. */
export type RunPolicy = PathPolicy & JobPaths & { readonly redirects?: number | null }

const noPolicy: RunPolicy = {
  scope: [],
  allow: [],
  deny: [],
  unprotect: [],
  expected: { paths: [], components: [], keys: [] },
  imageHosts: [],
  deletedPercent: null,
}

export function policyOf(project: Pick<ProjectRow, 'path_policy'>): RunPolicy {
  return { ...noPolicy, ...(JSON.parse(project.path_policy) as Partial<RunPolicy>) }
}

export type JudgedBase = Omit<Tree, 'commit'>

/** Everything that judging needs besides the change. `base` is the tree that the edits change. */
export type Judging = {
  readonly policy: RunPolicy
  readonly base: JudgedBase
  readonly reading: ReadSyntax
  readonly signal: AbortSignal
}

/** Returns the findings that refuse the edits. Empty: they may be published. */
export async function judgeEdits(judging: Judging, edits: readonly Edit[]): Promise<readonly Finding[]> {
  const { policy, base } = judging
  const before = await loadBefore(base, edits)
  const { imageHosts } = policy
  return [
    ...judgeChange({ policy, base, edits, before }),
    ...(await findRefusedContent({ ...judging, edits, before, imageHosts })),
    ...findRefusedIncludes({ ...judging, edits, before }),
    ...(policy.redirects == null ? [] : await findRefusedRedirects(judging, edits)),
  ]
}

async function findRefusedRedirects(judging: Judging, edits: readonly Edit[]): Promise<readonly Finding[]> {
  const { shown } = await judgeShown(judging, edits)
  return [
    ...(await findTooManyRedirects({ ...judging, edits })),
    ...(await refuseOtherHosts(shown, { ...judging, edits })),
  ]
}

export type ShownChange = {
  /** Each is a reason for a draft: code, files of tools, and what the policy refuses today. */
  readonly shown: readonly Finding[]
  /** Found, and expected by the settings of the project. */
  readonly expected: readonly Finding[]
  /** Other sites that the change leads to, and the base does not. */
  readonly hosts: readonly HostPlace[]
}

/**
 * Returns what the reviewer of a branch must see. `base` is its merge base. `mayBeRefused`: the branch has commits of
 * earlier runs or of people, which today's policy has not judged.
 */
export async function judgeBranch(judging: Judging, head: SiteTree, mayBeRefused = false): Promise<ShownChange> {
  const edits = await loadChange(judging.base, head)
  const refused = mayBeRefused ? await judgeEdits(judging, edits) : []
  const change = await judgeShown(judging, edits)
  return { ...change, shown: [...refused, ...change.shown] }
}

/** Like `judgeBranch`, for the edits themselves. */
export async function judgeShown(judging: Judging, edits: readonly Edit[]): Promise<ShownChange> {
  const before = await loadBefore(judging.base, edits)
  const change = { ...judging, edits, before, imageHosts: [] }
  const { shown, hosts } = await findShownContent(change)
  const found = [...(await findShownFiles(change)), ...shown, ...(await findShownIncludes(change))]
  const isExpected = createIsExpected(judging.policy.expected)
  return { shown: found.filter((one) => !isExpected(one)), expected: found.filter(isExpected), hosts }
}

async function loadChange(base: JudgedBase, head: SiteTree): Promise<readonly Edit[]> {
  const edits: Edit[] = []
  const present = new Set<string>()
  for (const { path, oid, kind } of head.entries()) {
    present.add(path)
    if (kind !== 'file' || base.entry(path)?.oid === oid) continue
    edits.push({ path, content: (await contentOf(head, path)) ?? unreadable, mode: modeOf(base, path) })
  }
  for (const { path, kind } of base.entries()) {
    if (kind === 'file' && !present.has(path)) edits.push({ path, content: null, mode: modeOf(base, path) })
  }
  return edits
}

/** The listing of an edited tree has no modes, and no edit changes one. */
export function modeOf(base: JudgedBase, path: string): Edit['mode'] {
  return base.entry(path)?.mode === '100755' ? '100755' : '100644'
}

/** Replaces the content of a file that is too large to read. It does not parse as a script, so the change is shown. */
const unreadable = new TextEncoder().encode('}')

async function loadBefore(base: JudgedBase, edits: readonly Edit[]): Promise<Before> {
  const before = new Map<string, Uint8Array>()
  for (const { path } of edits) {
    const content = base.entry(path)?.kind === 'file' ? await contentOf(base, path) : undefined
    if (content) before.set(path, content)
  }
  return before
}
