// Commit objects as their parts: reading one from the mirror, and writing one.

import { Failure } from '../../lib/failure.ts'
import { type Mirror, git } from '../cache/mirror.ts'
import type { GitObject } from '../read/object-session.ts'
import type { Objects } from '../read/objects.ts'
import { damaged } from '../transport/errors.ts'
import type { Oid } from '../types.ts'

export type CommitParts = { readonly tree: Oid; readonly parents: readonly Oid[]; readonly rest: Buffer }

/** A parsed commit object; `rest` begins with the author line. */
export async function readCommit(mirror: Mirror, oid: Oid): Promise<CommitParts> {
  const found = await mirror.objects.read(oid)
  if (found === undefined) throw new Failure('internal', `The commit ${oid} is not in the mirror; make it again.`)
  if (found.type !== 'commit') throw new Failure('internal', `${oid} is no commit.`)
  const parts = partsOfCommit(found)
  if (parts === undefined) throw damaged('a commit has no author')
  return parts
}

/** Larger commits are left to git, and their messages are not shown. */
export const maxCommitBytes = 1_000_000

/** Undefined: it is not here, no commit, broken, or longer than 1 MB. The caller leaves it to git. */
export async function findCommit({ objects }: Readable, oid: Oid): Promise<CommitParts | undefined> {
  if (((await objects.size(oid)) ?? Infinity) > maxCommitBytes) return undefined
  const found = await objects.read(oid)
  return found && partsOfCommit(found)
}

type Readable = { readonly objects: Pick<Objects, 'read' | 'size'> }

/** Undefined: it is no commit, or has no author. git also reads ids in capital letters. */
function partsOfCommit({ type, content }: GitObject): CommitParts | undefined {
  const authorAt = type === 'commit' ? content.indexOf('\nauthor ') : -1
  if (authorAt < 0) return undefined
  const head = content.toString('latin1', 0, authorAt).split('\n')
  const values = (name: string): Oid[] =>
    head.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).toLowerCase())
  return { tree: values('tree')[0] ?? '', parents: values('parent'), rest: content.subarray(authorAt + 1) }
}

/** Writes a commit object from its parts; git checks its form. */
export async function writeCommit(mirror: Mirror, parts: CommitParts): Promise<Oid> {
  const input = Buffer.concat([headOf(parts), parts.rest])
  return (await git(mirror, { args: ['hash-object', '-t', 'commit', '-w', '--stdin'], input })).toString('utf8').trim()
}

/** The lines before that of the author. */
export function headOf({ tree, parents }: CommitParts): Buffer {
  return Buffer.from([`tree ${tree}`, ...parents.map((parent) => `parent ${parent}`), ''].join('\n'))
}
