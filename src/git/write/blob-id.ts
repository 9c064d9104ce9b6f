// The id that git gives to the content of a file.

import { createHash } from 'node:crypto'
import type { Oid } from '../types.ts'

/** `like`: any id of the repository, whose hash is used. */
export function blobId(content: Uint8Array, like: Oid): Oid {
  const hash = createHash(like.length === 64 ? 'sha256' : 'sha1')
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex')
}
