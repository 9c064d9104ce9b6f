// Makes a commit from a parent and edits with one `fast-import`: 20 ms for 22 files of 5,000, where single commands take
// 136 ms. It needs no index, no working copy and no lasting ref, so concurrent callers do not affect each other.
// Names are checked again here, because git itself would write any tree.

import { randomString } from '../../lib/id.ts'
import { Failure } from '../../lib/failure.ts'
import { type Mirror, git } from '../cache/mirror.ts'
import { readCommit } from './commit-object.ts'
import { createNames } from './name-clashes.ts'
import { nameProblem, refusePath, shapeProblem } from './path.ts'
import { signCommit } from './sign-commit.ts'
import type { CommitInput, Edit, Identity, Oid, Tree } from '../types.ts'

const nullOid = '0'.repeat(40)

/** Creates a commit; the same input gives the same commit. Returns the parent when the edits change nothing. */
export async function makeCommit(mirror: Mirror, parent: Tree, input: Omit<CommitInput, 'parent'>): Promise<Oid> {
  checkEdits(parent, input.edits)
  if (input.edits.length === 0) return parent.commit
  const stream = importStream(input.author ?? mirror.options.identity, parent.commit, input)
  const args = ['fast-import', '--quiet', '--done', '--date-format=raw']
  const oid = (await git(mirror, { args, input: stream })).toString('utf8').trim()
  const trees = await Promise.all([treeOf(mirror, oid), treeOf(mirror, parent.commit)])
  if (trees[0] === trees[1]) return parent.commit
  return input.author ? await signCommit(mirror, oid) : oid
}

/** Returns the author line and the rest of a commit by the service. */
export function commitRest(identity: Identity, date: Date, message: string): Buffer {
  const person = personLine(identity, date)
  return Buffer.from(`author ${person}\ncommitter ${person}\n\n${cleanMessage(message)}`)
}

async function treeOf(mirror: Mirror, oid: Oid): Promise<Oid> {
  return (await readCommit(mirror, oid)).tree
}

function importStream(identity: Identity, parent: Oid, input: Omit<CommitInput, 'parent'>): Buffer {
  const ref = `refs/docent/tmp/${randomString('0123456789abcdef', 24)}`
  const person = personLine(identity, input.date)
  const message = Buffer.from(cleanMessage(input.message))
  const head = `commit ${ref}\nmark :1\nauthor ${person}\ncommitter ${person}\ndata ${message.length}\n`
  // Deletions first: a file may become a folder, and a folder a file.
  const deleted = input.edits.filter((edit) => edit.content === null).map((edit) => `D ${quotePath(edit.path)}\n`)
  const written = input.edits.flatMap((edit) => (edit.content === null ? [] : fileChange(edit, edit.content)))
  // Resetting the ref to nothing drops it before it is ever written.
  const tail = `get-mark :1\nreset ${ref}\nfrom ${nullOid}\n\ndone\n`
  const parts = [head, message, `\nfrom ${parent}\n`, ...deleted, ...written, tail]
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

function fileChange(edit: Edit, content: Uint8Array): (string | Uint8Array)[] {
  return [`M ${edit.mode} inline ${quotePath(edit.path)}\ndata ${content.length}\n`, content, '\n']
}

/** Quotes a path in C style: every byte except plain letters is octal, so that no name can end the line. */
function quotePath(path: string): string {
  const bytes = Array.from(Buffer.from(path), (byte) => {
    const letter = String.fromCharCode(byte)
    return /[A-Za-z0-9._/-]/.test(letter) ? letter : `\\${byte.toString(8).padStart(3, '0')}`
  })
  return `"${bytes.join('')}"`
}

function personLine(identity: Identity, date: Date): string {
  const seconds = Math.floor(date.getTime() / 1000)
  if (!Number.isSafeInteger(seconds) || seconds < 0) throw new Failure('internal', 'The date of a commit is invalid.')
  // oxlint-disable-next-line no-control-regex
  const clean = (text: string): string =>
    text
      .replace(/[\u0000-\u001f<>]/g, '')
      .toWellFormed()
      .trim()
  return `${clean(identity.name)} <${clean(identity.email)}> ${seconds} +0000`
}

function cleanMessage(message: string): string {
  const text = message.replaceAll('\0', '').toWellFormed()
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Checks edits again, as the overlay does, for callers without an overlay. */
function checkEdits(parent: Tree, edits: readonly Edit[]): void {
  const names = createNames(parent.entries())
  for (const { path } of edits) {
    const entry = parent.entry(path)
    const problem = entry === undefined ? nameProblem(path) : shapeProblem(path)
    if (problem !== null) refusePath(path, problem)
    if (entry !== undefined && entry.kind !== 'file') refusePath(path, `it is a ${entry.kind}`)
    if (entry !== undefined) names.remove(path)
  }
  for (const { path, content } of edits) {
    if (content === null) continue
    const problem = names.clash(path)
    if (problem !== null) refusePath(path, problem)
    names.add(path, 'file')
  }
}
