// Adds the signature to a commit object, and takes it out. It is a header after the committer, which git leaves out of what
// is signed.

import type { Mirror } from '../cache/mirror.ts'
import type { Oid } from '../types.ts'
import { type CommitParts, headOf, readCommit, writeCommit } from './commit-object.ts'

/** Returns the commit with the signature of the service; the same one if the repository has no key. */
export async function signCommit(mirror: Mirror, commit: Oid): Promise<Oid> {
  const { signatureOf } = mirror.options
  if (!signatureOf) return commit
  const parts = withoutSignature(await readCommit(mirror, commit))
  const content = Buffer.concat([headOf(parts), parts.rest])
  const signature = await signatureOf(mirror.id, content)
  if (signature === undefined) return commit
  const at = parts.rest.indexOf('\n', parts.rest.indexOf('\ncommitter ') + 1) + 1
  const header = Buffer.from(`gpgsig ${signature.replaceAll('\n', '\n ')}\n`)
  const rest = Buffer.concat([parts.rest.subarray(0, at), header, parts.rest.subarray(at)])
  return writeCommit(mirror, { ...parts, rest })
}

export function isSigned({ rest }: CommitParts): boolean {
  return findSignature(rest) !== undefined
}

export function withoutSignature(parts: CommitParts): CommitParts {
  const found = findSignature(parts.rest)
  if (!found) return parts
  return { ...parts, rest: Buffer.concat([parts.rest.subarray(0, found.from), parts.rest.subarray(found.to)]) }
}

/** The header with its further lines, which begin with a blank. */
function findSignature(rest: Buffer): { readonly from: number; readonly to: number } | undefined {
  const end = rest.indexOf('\n\n')
  const from = rest.indexOf('\ngpgsig ') + 1
  if (from === 0 || (end >= 0 && from > end)) return undefined
  let to = rest.indexOf('\n', from) + 1
  while (rest[to] === 0x20) to = rest.indexOf('\n', to) + 1
  return { from, to }
}
