// Decides which paths may be written, and compares and shows paths of a repository. A path that could leave the tree,
// or is meaningless in it, is always refused. A name that is unsafe on some file system is refused for new files only,
// because a file that the repository already has must stay editable.

import { Failure } from '../../lib/failure.ts'
import { shorten } from '../../lib/plain-text.ts'

const maxSegmentBytes = 255
const maxPathBytes = 1024
const reservedOnWindows = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i
/** Code points that HFS+ ignores in names: `.g<ZWNJ>it` is `.git` there. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Explains why this path cannot name a file; null when it can. */
export function shapeProblem(path: string): string | null {
  if (path === '') return 'it is empty'
  if (!path.isWellFormed()) return 'it is not well-formed Unicode'
  if (path.includes('\0')) return 'it has a NUL character'
  if (path.startsWith('/')) return 'it is absolute; paths are relative to the root of the repository'
  if (/^[A-Za-z]:/.test(path)) return 'it begins with a drive letter'
  const segments = path.split('/')
  if (segments.includes('')) return 'it has an empty part between slashes'
  if (segments.includes('.') || segments.includes('..')) return 'it has a part that is . or ..'
  if (segments.some(isDotGit)) return 'a part of it is a form of .git'
  return null
}

/** Explains why no new file may be created at this path; null when one may. */
export function nameProblem(path: string): string | null {
  const shape = shapeProblem(path)
  if (shape !== null) return shape
  if (path !== path.normalize('NFC')) return 'it is not in Unicode normal form C'
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) return 'it has control characters'
  if (path.includes('\\')) return 'it has a backslash; parts are separated by /'
  if (/[<>:"|?*]/.test(path)) return 'it has one of the characters < > : " | ? *, which Windows refuses'
  if (Buffer.byteLength(path) > maxPathBytes) return 'it is longer than 1,024 bytes'
  return (
    path
      .split('/')
      .map(segmentProblem)
      .find((problem) => problem !== null) ?? null
  )
}

export function refusePath(path: string, reason: string): never {
  throw new Failure('path_refused', `${JSON.stringify(shorten(path, 300))} is refused: ${reason}.`)
}

/** Two names with the same key are the same file on some file system. */
export function collisionKey(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

/** Compares the UTF-8 bytes, which gives the order of a git tree. */
export function comparePaths(a: string, b: string): number {
  if (a === b) return 0
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the name as text, or null when the bytes are not UTF-8. */
export function decodePath(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Shows any name as text: bytes that are not printable ASCII become \xhh. The result does not name a file. */
export function escapePath(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('')
}

function segmentProblem(segment: string): string | null {
  if (Buffer.byteLength(segment) > maxSegmentBytes) return 'a part of it is longer than 255 bytes'
  if (/[. ]$/.test(segment)) return 'a part of it ends with a dot or a space'
  if (segment.startsWith(' ')) return 'a part of it begins with a space'
  if (reservedOnWindows.test(segment)) return 'a part of it is a name that Windows reserves'
  return null
}

/** Matches `.git` in every form that a file system may read it: case, HFS-ignored characters, short names, streams, trailing dots. */
function isDotGit(segment: string): boolean {
  const plain = segment.normalize('NFKC').replace(ignoredByHfs, '').toLowerCase()
  return /^(\.git|git~[0-9]+)[. ]*([:\\].*)?$/s.test(plain)
}
