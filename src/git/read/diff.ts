// Returns the difference between two commits, as text and as a list of files. Uses plumbing commands only: no external
// program, text conversion, setting or attribute of the repository affects the result.

import { readCommit } from '../write/commit-object.ts'
import { comparePaths, decodePath, escapePath } from '../write/path.ts'
import { type Mirror, failureOf, git, tryGit } from '../cache/mirror.ts'
import type { ChangedFile, FileDiff, Oid } from '../types.ts'

const maxDiffBytes = 5_000_000
/** A longer patch of one file is left out of the list of files. */
const maxPatchBytes = 500_000

const flags = ['-r', '--find-renames', '--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=none']
const prefixes = ['--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '--full-index']

/** Returns a unified diff of at most 5 MB; the last line of a cut diff says so. */
export async function diffText(mirror: Mirror, from: Oid, to: Oid): Promise<string> {
  await checkPresent(mirror, from, to)
  const { bytes, isCut } = await patchBytes(mirror, from, to)
  if (!isCut) return bytes.toString('utf8')
  return `${bytes.toString('utf8')}… cut here: the diff is larger than 5 MB\n`
}

export async function diffFiles(mirror: Mirror, from: Oid, to: Oid): Promise<readonly FileDiff[]> {
  await checkPresent(mirror, from, to)
  const [files, patch] = await Promise.all([summarise(mirror, from, to), patchBytes(mirror, from, to)])
  const patches = splitPatches(patch.bytes)
  // When a file becomes a link, or the reverse, there are two patches: one deletes, one adds.
  const whole = patch.isCut ? patches.length - 1 : patches.length
  let next = 0
  return files
    .map((file) => {
      const mine = patches.slice(next, next + file.patches)
      next += file.patches
      const text = next <= whole && !file.binary ? mine.join('') : ''
      const { path, previousPath, status, binary, additions, deletions } = file
      const shown = text.length > maxPatchBytes ? '' : text
      return { path, previousPath, status, binary, additions, deletions, patch: shown }
    })
    .toSorted((a, b) => comparePaths(a.path, b.path))
}

/** The files of `diffFiles` without their patches, with one process instead of two. */
export async function changedFiles(mirror: Mirror, from: Oid, to: Oid): Promise<readonly ChangedFile[]> {
  await checkPresent(mirror, from, to)
  const files = await summarise(mirror, from, to)
  return files
    .map(({ path, previousPath, status }) => ({ path, previousPath, status }))
    .toSorted((a, b) => comparePaths(a.path, b.path))
}

async function summarise(mirror: Mirror, from: Oid, to: Oid): Promise<Summary[]> {
  const args = ['diff-tree', ...flags, '--raw', '--numstat', '-z', '--end-of-options', from, to]
  return parseSummary(await git(mirror, { args }))
}

async function checkPresent(mirror: Mirror, from: Oid, to: Oid): Promise<void> {
  await Promise.all([readCommit(mirror, from), readCommit(mirror, to)])
}

async function patchBytes(mirror: Mirror, from: Oid, to: Oid): Promise<{ bytes: Buffer; isCut: boolean }> {
  const args = ['diff-tree', '-p', ...flags, ...prefixes, '--end-of-options', from, to]
  const result = await tryGit(mirror, { args, maxBytes: maxDiffBytes })
  const isCut = result.ended === 'full'
  if (!isCut && (result.ended !== 'exit' || result.code !== 0)) throw failureOf(mirror, result, { args })
  const bytes = isCut ? result.stdout.subarray(0, maxDiffBytes) : result.stdout
  return { bytes: isCut ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes, isCut }
}

/** At the start of a line these words are always a header: content lines begin with a space, +, -, \ or @. */
export function splitPatches(bytes: Buffer): string[] {
  const text = bytes.toString('utf8')
  return text === '' ? [] : text.split(/^(?=diff --git )/m)
}

type Summary = Omit<FileDiff, 'patch'> & { readonly patches: number }

const statuses: Readonly<Record<string, FileDiff['status']>> = { A: 'added', D: 'deleted', R: 'renamed' }

/**
 * Parses `:modes oids status\0path\0[new path\0]` for each file, then `added\tdeleted\tpath\0` (or `…\t\0old\0new\0`).
 */
function parseSummary(bytes: Buffer): Summary[] {
  const fields = fieldsOf(bytes)
  const named: { letter: string; previous: string | null; path: string }[] = []
  let at = 0
  while (fields[at]?.startsWith(':') === true) {
    const letter = fields[at]?.split(' ')[4]?.[0] ?? 'M'
    const isRename = letter === 'R' || letter === 'C'
    named.push({
      letter,
      previous: isRename ? (fields[at + 1] ?? '') : null,
      path: fields[at + (isRename ? 2 : 1)] ?? '',
    })
    at += isRename ? 3 : 2
  }
  return named.map(({ letter, previous, path }) => {
    const [added = '', deleted = ''] = fields[at]?.split('\t') ?? []
    at += previous === null ? 1 : 3
    const counts = { binary: added === '-', additions: Number(added) || 0, deletions: Number(deleted) || 0 }
    return {
      path,
      previousPath: previous,
      status: statuses[letter] ?? 'modified',
      ...counts,
      patches: letter === 'T' ? 2 : 1,
    }
  })
}

function fieldsOf(bytes: Buffer): string[] {
  const fields: string[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(0, start)
    const field = bytes.subarray(start, end)
    fields.push(decodePath(field) ?? escapePath(field))
    start = end + 1
  }
  return fields
}
