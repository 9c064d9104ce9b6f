// The files of a folder as a check reads them: those that git tracks or would track, and outside a repository all that no
// tool made. Links are not followed.

import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SiteTree, TreeFile } from '../../sites/tree.ts'
import { errnoOf } from '../../lib/errno.ts'
import { Failure } from '../../lib/failure.ts'
import type { WorkTree } from '../../git/read/work-tree.ts'

const toolFolders = new Set(['.git', 'node_modules', '.venv', '__pycache__'])
/** Larger files are not read for their id; a check does not read them either. */
const maxBytes = 5_000_000

export async function openFolder(folder: string, work: WorkTree | undefined): Promise<SiteTree> {
  const paths = work ? await work.paths() : await walk(folder)
  const entries = paths.map((path) => toEntry(folder, path)).filter((entry) => entry !== undefined)
  const sorted = entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return { entries: () => sorted, read: async (path) => readFileSync(join(folder, path)) }
}

async function walk(folder: string): Promise<string[]> {
  const found: string[] = []
  const waiting = ['']
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const entries = await readdir(join(folder, place), { withFileTypes: true }).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      throw new Failure('invalid_input', `The folder cannot be read: ${why}`)
    })
    for (const entry of entries) {
      const path = place === '' ? entry.name : `${place}/${entry.name}`
      if (entry.isDirectory() && !toolFolders.has(entry.name)) waiting.push(path)
      else if (!entry.isDirectory()) found.push(path)
    }
  }
  return found
}

/** Undefined: the file was deleted, but git still lists it. The id is the one that git gives to the content. */
function toEntry(folder: string, path: string): TreeFile | undefined {
  try {
    const facts = lstatSync(join(folder, path))
    if (!facts.isFile()) return { path, kind: facts.isSymbolicLink() ? 'symlink' : 'other', size: 0, oid: '' }
    if (facts.size > maxBytes) return { path, kind: 'file', size: facts.size, oid: '' }
    const content = readFileSync(join(folder, path))
    const oid = createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
    return { path, kind: 'file', size: content.length, oid }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
}
