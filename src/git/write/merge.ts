// Merges trees three-way with `merge-tree`, without a working copy. No merge driver can run: the settings configure no
// driver, and a bare repository does not read the attributes in its tree.

import { isSigned, signCommit, withoutSignature } from './sign-commit.ts'
import { commitRest } from './commit.ts'
import { type CommitParts, readCommit, writeCommit } from './commit-object.ts'
import { Failure } from '../../lib/failure.ts'
import { type Mirror, failureOf, tryGit } from '../cache/mirror.ts'
import { follows } from '../read/history.ts'
import type { WholeMirror } from '../cache/history-fetch.ts'
import { comparePaths, decodePath, escapePath } from './path.ts'
import type { Applied, MergeInput, Oid } from '../types.ts'

/**
 * Applies the change of `commit` to another parent. Keeps author, dates and message, and signs again what was signed, so a
 * repetition gives the same commit.
 */
export async function transplantCommit(mirror: Mirror, commit: Oid, onto: Oid): Promise<Applied> {
  const [signed, target] = await Promise.all([readCommit(mirror, commit), readCommit(mirror, onto)])
  const original = withoutSignature(signed)
  const [parentOid] = original.parents
  if (parentOid === undefined) throw new Failure('internal', `${commit} has no parent: there is no change to apply.`)
  if (parentOid === onto) return { kind: 'clean', commit }
  const parent = await readCommit(mirror, parentOid)
  // In git 2.39, merge-tree takes its base from history only, so this makes a history of three commits for it.
  const base = await writeCommit(mirror, { tree: parent.tree, parents: [], rest: original.rest })
  const sides = await Promise.all(
    [target.tree, original.tree].map((tree) => writeCommit(mirror, { tree, parents: [base], rest: original.rest })),
  )
  const merged = await mergeTrees(mirror, sides[0] ?? '', sides[1] ?? '')
  if (merged.kind === 'conflict') return merged
  if (merged.tree === target.tree) return { kind: 'clean', commit: onto }
  const made = await committed(mirror, { tree: merged.tree, parents: [onto], rest: original.rest })
  return isSigned(signed) ? { ...made, commit: await signCommit(mirror, made.commit) } : made
}

export async function mergeCommits(mirror: WholeMirror, input: MergeInput): Promise<Applied> {
  const { into, from } = input
  await Promise.all([readCommit(mirror, into), readCommit(mirror, from)])
  if (await follows(mirror, from, into)) return { kind: 'clean', commit: into }
  if (await follows(mirror, into, from)) return { kind: 'clean', commit: from }
  const merged = await mergeTrees(mirror, into, from)
  if (merged.kind === 'conflict') return merged
  const rest = commitRest(input.author ?? mirror.options.identity, input.date, input.message)
  const made = await committed(mirror, { tree: merged.tree, parents: [into, from], rest })
  return input.author ? { ...made, commit: await signCommit(mirror, made.commit) } : made
}

export async function haveSameTree(mirror: Mirror, one: Oid, other: Oid): Promise<boolean> {
  const [a, b] = await Promise.all([readCommit(mirror, one), readCommit(mirror, other)])
  return a.tree === b.tree
}

async function committed(mirror: Mirror, parts: CommitParts): Promise<Extract<Applied, { readonly kind: 'clean' }>> {
  return { kind: 'clean', commit: await writeCommit(mirror, parts) }
}

type Merged =
  | { readonly kind: 'clean'; readonly tree: Oid }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }

async function mergeTrees(mirror: Mirror, ours: Oid, theirs: Oid): Promise<Merged> {
  const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs]
  const result = await tryGit(mirror, { args })
  if (/refusing to merge unrelated histories/.test(result.stderr)) {
    throw new Failure('merge_conflict', 'The two branches have no common history.')
  }
  if (result.ended !== 'exit' || result.code === null || result.code > 1) throw failureOf(mirror, result, { args })
  const [tree = '', ...names] = splitNul(result.stdout)
  if (result.code === 0) return { kind: 'clean', tree: tree.toString() }
  const paths = new Set(names.filter((name) => name.length > 0).map((name) => decodePath(name) ?? escapePath(name)))
  return { kind: 'conflict', paths: [...paths].toSorted(comparePaths) }
}

function splitNul(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start)
    parts.push(bytes.subarray(start, end < 0 ? bytes.length : end))
    start = end < 0 ? bytes.length : end + 1
  }
  return parts
}
