// Objects of a bare repository, read and written without a process of git: loose ones as files, the others by git.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import { errnoOf } from '../../src/lib/errno.ts'

export type GitObject = { readonly type: string; readonly content: Buffer }

/** By path; null deletes. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>

/** Undefined: there is no such object. */
export function readObject(directory: string, id: string): GitObject | undefined {
  if (!/^[0-9a-f]{40}$/.test(id)) return undefined
  try {
    const data = inflateSync(readFileSync(pathOf(directory, id)))
    const end = data.indexOf(0)
    return { type: data.toString('latin1', 0, data.indexOf(' ')), content: data.subarray(end + 1) }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    return readPacked(directory, id)
  }
}

/** Returns its id. */
export function writeObject(directory: string, type: string, content: Uint8Array): string {
  const data = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const id = createHash('sha1').update(data).digest('hex')
  const path = pathOf(directory, id)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, deflateSync(data, { level: 1 }), { mode: 0o444 })
  renameSync(`${path}.new`, path)
  return id
}

/** The tree with these files written to it or deleted. Null: no tree, or nothing is left. */
export function changeTree(directory: string, tree: string | null, files: Files): string | null {
  const entries = tree === null ? new Map<string, Entry>() : readTree(directory, tree)
  const folders = new Map<string, Record<string, string | Uint8Array | null>>()
  for (const [path, content] of Object.entries(files)) {
    const slash = path.indexOf('/')
    const name = toBytes(slash < 0 ? path : path.slice(0, slash))
    if (slash >= 0) folders.set(name, { ...folders.get(name), [path.slice(slash + 1)]: content })
    else if (content === null) entries.delete(name)
    else entries.set(name, { mode: '100644', id: writeObject(directory, 'blob', Buffer.from(content)) })
  }
  for (const [name, below] of folders) {
    const entry = entries.get(name)
    const id = changeTree(directory, entry?.mode === folderMode ? entry.id : null, below)
    if (id === null) entries.delete(name)
    else entries.set(name, { mode: folderMode, id })
  }
  return entries.size === 0 ? null : writeTree(directory, entries)
}

export type Person = { readonly name: string; readonly email: string; readonly date: string }

/** Throws when there is no such commit. */
export function readCommit(directory: string, id: string) {
  const found = readObject(directory, id)
  if (found?.type !== 'commit') throw new Error(`${id} is no commit in ${directory}`)
  const text = found.content.toString()
  const end = text.indexOf('\n\n')
  const lines = text.slice(0, end).split('\n')
  const all = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1))
  return {
    tree: all('tree')[0] ?? '',
    parents: all('parent'),
    author: toPerson(all('author')[0]),
    committer: toPerson(all('committer')[0]),
    message: text.slice(end + 2),
  }
}

/** All commits that this one contains, with itself. */
export function commitsOf(directory: string, head: string): ReadonlySet<string> {
  const found = new Set([head])
  for (const id of found) for (const parent of readCommit(directory, id).parents) found.add(parent)
  return found
}

function toPerson(line = ''): Person {
  const [, name = '', email = '', seconds] = /^(.*?) ?<([^>]*)> (\d+) /.exec(line) ?? []
  return { name, email, date: new Date(Number(seconds) * 1_000).toISOString().replace('.000', '') }
}

type Entry = { readonly mode: string; readonly id: string }
const folderMode = '40000'

/** By name, each of whose characters is a byte: git compares bytes. */
function readTree(directory: string, tree: string): Map<string, Entry> {
  const content = readObject(directory, tree)?.content ?? Buffer.alloc(0)
  const entries = new Map<string, Entry>()
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(0, at)
    const [mode = '', ...name] = content.toString('latin1', at, end).split(' ')
    entries.set(name.join(' '), { mode, id: content.toString('hex', end + 1, end + 21) })
    at = end + 21
  }
  return entries
}

function writeTree(directory: string, entries: ReadonlyMap<string, Entry>): string {
  const rows = [...entries].map(([name, entry]) => ({
    order: entry.mode === folderMode ? `${name}/` : name,
    bytes: Buffer.concat([Buffer.from(`${entry.mode} ${name}\0`, 'latin1'), Buffer.from(entry.id, 'hex')]),
  }))
  rows.sort((a, b) => (a.order < b.order ? -1 : 1))
  return writeObject(directory, 'tree', Buffer.concat(rows.map(({ bytes }) => bytes)))
}

function toBytes(name: string): string {
  return Buffer.from(name).toString('latin1')
}

function pathOf(directory: string, id: string): string {
  return join(directory, 'objects', id.slice(0, 2), id.slice(2))
}

function readPacked(directory: string, id: string): GitObject | undefined {
  const options = { cwd: directory, input: `${id}\n`, stdio: 'pipe', maxBuffer: 1e8 } as const
  const said = execFileSync('git', ['cat-file', '--batch'], options)
  const end = said.indexOf('\n')
  const [, type = '', size] = said.toString('latin1', 0, end).split(' ')
  return size === undefined ? undefined : { type, content: said.subarray(end + 1, end + 1 + Number(size)) }
}
