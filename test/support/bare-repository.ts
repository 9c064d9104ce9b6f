// A bare repository of tests without a process of git: refs and commits are read and written as the files they are.
// A process costs ten milliseconds, and a loopback forge reads the refs for every request.

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errnoOf } from '../../src/lib/errno.ts'
import { type Files, changeTree, readCommit, writeObject } from './git-objects.ts'

export type NewCommit = {
  readonly branch: string
  readonly files: Files
  readonly message: string
  /** Name, address and time as git writes them. */
  readonly person: string
}

/** As `git init --bare` makes it. */
export function createBareRepository(directory: string, head: string): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(join(directory, folder), { recursive: true })
  writeFileSync(join(directory, 'HEAD'), `ref: refs/heads/${head}\n`)
  writeFileSync(join(directory, 'config'), '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n')
}

/** One commit on the branch, which is made when it is missing. Returns its id. */
export function addCommit(directory: string, given: NewCommit): string {
  const { branch, files, message, person } = given
  const ref = `refs/heads/${branch}`
  if (isLarge(files)) {
    execFileSync('git', ['fast-import', '--quiet', '--force'], {
      cwd: directory,
      input: importStream(directory, given),
    })
    return readRef(directory, ref) ?? ''
  }
  const parent = readRef(directory, ref)
  const before = parent === undefined ? null : readCommit(directory, parent).tree
  const tree = changeTree(directory, before, files) ?? writeObject(directory, 'tree', Buffer.alloc(0))
  const parents = parent === undefined ? '' : `parent ${parent}\n`
  const text = `tree ${tree}\n${parents}author ${person}\ncommitter ${person}\n\n${message}`
  const commit = writeObject(directory, 'commit', Buffer.from(text))
  writeRef(directory, ref, commit)
  return commit
}

/** Undefined: there is no such ref. */
export function readRef(directory: string, ref: string): string | undefined {
  return readLoose(join(directory, ref)) ?? readPacked(directory).get(ref)
}

/** The name of the default branch. */
export function readHead(directory: string): string {
  return readFileSync(join(directory, 'HEAD'), 'utf8').trim().replace('ref: refs/heads/', '')
}

/** All branches by name. */
export function readHeads(directory: string): ReadonlyMap<string, string> {
  const folder = join(directory, 'refs/heads')
  const loose = new Map<string, string>()
  // The files before the list: git writes a ref into the list before it removes the file.
  for (const path of listFiles(folder)) {
    const id = path.endsWith('.lock') ? undefined : readLoose(path)
    if (id !== undefined) loose.set(path.slice(folder.length + 1), id)
  }
  const packed = [...readPacked(directory)].filter(([ref]) => ref.startsWith('refs/heads/'))
  return new Map([...packed.map(([ref, id]) => [ref.slice('refs/heads/'.length), id] as const), ...loose])
}

/**
 * Makes the ref, or moves it; throws when it is not at `before`. Git takes over when something else moves it at this
 * moment.
 */
export function writeRef(directory: string, ref: string, id: string, before?: string): void {
  const path = join(directory, ref)
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(`${path}.lock`, `${id}\n`, { flag: 'wx' })
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
    return void execFileSync('git', ['update-ref', ref, id, ...(before === undefined ? [] : [before])], {
      cwd: directory,
    })
  }
  if (before !== undefined && readRef(directory, ref) !== before) {
    rmSync(`${path}.lock`)
    throw new Error(`${ref} is not at ${before}`)
  }
  renameSync(`${path}.lock`, path)
}

/** Git removes a folder when it is empty, at any moment. */
function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? listFiles(path) : [path]
    })
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    return []
  }
}

/** Git packs what is many, and is not called once for each folder of a path. */
function isLarge(files: Files): boolean {
  const paths = Object.keys(files)
  return paths.length > 100 || paths.some((path) => path.split('/').length > 100)
}

function importStream(directory: string, { branch, files, message, person }: NewCommit): Buffer {
  const from = readRef(directory, `refs/heads/${branch}`)
  const text = Buffer.from(message)
  const head = `commit refs/heads/${branch}\ncommitter ${person}\ndata ${text.length}\n`
  const parts: (string | Uint8Array)[] = [head, text, from === undefined ? '\n' : `\nfrom ${from}\n`]
  for (const [path, content] of Object.entries(files)) {
    const name = `"${Array.from(Buffer.from(path), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`
    if (content === null) parts.push(`D ${name}\n`)
    else parts.push(`M 100644 inline ${name}\ndata ${Buffer.byteLength(content)}\n`, content, '\n')
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}

function readLoose(path: string): string | undefined {
  const text = readText(path)?.trim() ?? ''
  return /^[0-9a-f]{40}$/.test(text) ? text : undefined
}

function readPacked(directory: string): ReadonlyMap<string, string> {
  const lines = (readText(join(directory, 'packed-refs')) ?? '').split('\n')
  const rows = lines.filter((line) => /^[0-9a-f]{40} /.test(line))
  return new Map(rows.map((line) => [line.slice(41), line.slice(0, 40)]))
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (['ENOENT', 'EISDIR', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return undefined
    throw error
  }
}
