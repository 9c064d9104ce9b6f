// Where the builds of the dashboard are: each in a folder named after the hash of its sources, which appears whole, by a
// rename. A process killed while it builds leaves nothing that is served, and two builders make the same folder.

import { createHash } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

export const workspace = join(import.meta.dirname, '../../dashboard')
export const builds = join(workspace, 'dist')

const name = /^[0-9a-f]{16}$/

/** The hash of the dashboard's sources and the lock: 75 files, 15 ms. Times say nothing, because a checkout sets them. */
export function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of listSources()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(workspace, file)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

/** Returns the build with this hash, or undefined. */
export function findBuild(hash: string, root: string = builds): string | undefined {
  const folder = join(root, hash)
  return existsSync(join(folder, 'index.html')) ? folder : undefined
}

/** Returns the builds, the latest first. */
export function listBuilds(root: string = builds): readonly string[] {
  if (!existsSync(root)) return []
  return readdirSync(root)
    .filter((entry) => name.test(entry) && findBuild(entry, root) !== undefined)
    .map((entry) => join(root, entry))
    .map((folder) => ({ folder, time: statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time)
    .map(({ folder }) => folder)
}

/** Moves a finished build to its place, unless another process finished the same build meanwhile: that one is as good. */
export function publishBuild(folder: string, hash: string, root: string = builds): void {
  // A temporary folder is private; the service may be another user, as in the image.
  chmodSync(folder, 0o755)
  try {
    renameSync(folder, join(root, hash))
  } catch (error) {
    if (findBuild(hash, root) === undefined) throw error
  }
}

/** The files of the service that are built into the dashboard: the import of logs. */
const shared =
  /^\.\.\/src\/(?:analytics\/(?:import\/.*|collect\/(?:admit|health|path|site-tag|target\/.*)|classify\/(?:accept|agents|browser|markdown|rule)|category|page-view|remember|zone)|lib\/(?:failure|network|observability\/forwarded-count|plain-text))\.ts$/

/** Is it, by its whole path, a file that the hash covers? */
export function isSource(path: string): boolean {
  return listSources().includes(relative(workspace, path).replaceAll('\\', '/'))
}

function listSources(): readonly string[] {
  const service = ['analytics', 'lib'].flatMap((folder) =>
    readdirSync(join(workspace, '../src', folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `../src/${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => shared.test(file) && !file.endsWith('.test.ts')),
  )
  const inFolders = ['src', 'build'].flatMap((folder) =>
    readdirSync(join(workspace, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.\w+$/.test(file) && !file.endsWith('.test.ts'))
      .map((file) => join(folder, file)),
  )
  return [...inFolders, ...service, 'index.html', 'vite.config.ts', 'package.json', '../package-lock.json'].toSorted()
}
