// Reads the first-parent history of a clone for `bench/affected.ts`, oldest commit first, and the pages at any of its commits.
// A merge counts as one change to the branch, so that every earlier commit is an ancestor of every later one.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type RawFile = { readonly status: string; readonly path: string; readonly oid: string }
export type RawCommit = { readonly oid: string; readonly message: string; readonly files: readonly RawFile[] }

export async function git(clone: string, ...args: readonly string[]): Promise<Buffer> {
  const { stdout } = await run('git', ['-C', clone, ...args], { encoding: 'buffer', maxBuffer: 2_000_000_000 })
  return stdout
}

export async function readHistory(clone: string): Promise<RawCommit[]> {
  const format = '--format=%x01%H%x02%B%x02'
  const flags = ['--first-parent', '--diff-merges=first-parent', '--raw', '--no-abbrev', '--no-renames', '--root']
  const out = (await git(clone, 'log', '--reverse', ...flags, format, 'HEAD')).toString('utf8')
  return out
    .split('\u0001')
    .slice(1)
    .map((part) => {
      const [oid = '', message = '', raw = ''] = part.split('\u0002')
      const files = raw.split('\n').flatMap((line) => {
        const [meta = '', path] = line.split('\t')
        const [, , , after = '', status = ''] = meta.split(' ')
        return path === undefined || path.startsWith('"') ? [] : [{ status, path, oid: after }]
      })
      return { oid, message, files }
    })
}

/** The patches of commits without context; a commit of which a file is not in the clone has no patch. */
export async function readPatches(clone: string, oids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const flags = [
    '--no-walk=unsorted',
    '--diff-merges=first-parent',
    '-p',
    '-U0',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
  ]
  const read = async (some: readonly string[]): Promise<void> => {
    const out = await git(clone, 'log', ...flags, '--find-renames', '--format=%x01%H%x02', ...some).catch(
      () => undefined,
    )
    if (out) {
      const parts = out.toString('utf8').split(/\u0001(?=[0-9a-f]{40}\u0002)/)
      for (const part of parts.slice(1)) found.set(part.slice(0, 40), part.slice(41))
    } else if (some.length > 1) {
      await read(some.slice(0, some.length >> 1))
      await read(some.slice(some.length >> 1))
    }
  }
  for (let at = 0; at < oids.length; at += 100) await read(oids.slice(at, at + 100))
  return found
}

/** The contents of blobs; those that are not here are left out. */
export async function readBlobs(
  clone: string,
  oids: readonly string[],
  each: (oid: string, text: string) => void,
): Promise<void> {
  for (let at = 0; at < oids.length; at += 500) {
    const child = execFile('git', ['-C', clone, 'cat-file', '--batch'], {
      encoding: 'buffer',
      maxBuffer: 2_000_000_000,
    })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    // It ends at the first blob that is not here, in clones without all of them.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(oids.slice(at, at + 500).join('\n') + '\n')
    await new Promise((resolve) => child.once('close', resolve))
    const bytes = Buffer.concat(chunks)
    for (let from = 0; from < bytes.length;) {
      const end = bytes.indexOf(10, from)
      const [oid = '', kind = '', size = '0'] = bytes.toString('latin1', from, end).split(' ')
      from = end + 1
      if (kind !== 'blob') continue
      each(oid, bytes.toString('utf8', from, from + Number(size)))
      from += Number(size) + 1
    }
  }
}
