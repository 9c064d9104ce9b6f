// A folder beside the mirror that borrows its objects, into which git fetches. When the fetch is complete, its packs are moved
// into the mirror, and then the list of commits without parents is replaced: a kill between two of these steps leaves a
// mirror that is as before, or has more. A failure deletes the folder and nothing else.
//
// A fetch that leaves out objects makes git write into the folder's configuration that the remote promises them, and any
// later command there could ask the host for one object at a time. The mirror never gets this configuration: in it, an
// object is present or missing, and nothing connects to a host. Its packs are marked as those of such a remote, which means
// nothing without the configuration; in the folder, git then does not look for what was left out before.

import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { randomString } from '../../lib/id.ts'
import type { Mirror } from './mirror.ts'

/** Why a folder exists: part of its name. */
export type BesideKind = 'history' | 'fetch'

/** `isPartial`: contents of files may be missing in the mirror. */
export type Purpose = { readonly kind: BesideKind; readonly isPartial: boolean }

export type Beside = {
  /** The folder as a mirror of the same address. Damage that is found in it need not be in the mirror. */
  readonly mirror: Mirror
  /** Moves the packs into the mirror. The caller holds the mirror's lock. */
  adopt(): Promise<void>
}

export async function withBeside<T>(
  mirror: Mirror,
  { kind, isPartial }: Purpose,
  work: (beside: Beside) => Promise<T>,
): Promise<T> {
  const gitDir = `${mirror.gitDir}.${kind}-${randomString('0123456789abcdef', 12)}`
  const beside = { ...mirror, gitDir, state: { ...mirror.state } }
  try {
    if (isPartial) await markPacks(mirror)
    const shallow = await prepare(mirror, beside)
    return await work({ mirror: beside, adopt: () => adopt(mirror, beside, shallow) })
  } finally {
    await rm(gitDir, { recursive: true, force: true })
  }
}

/** Removes what killed processes left. One that outlived its service loses its folder, and ends. */
export async function removeBeside({ gitDir }: Mirror, kind: BesideKind): Promise<void> {
  const prefix = `${basename(gitDir)}.${kind}-`
  const names = (await readdir(dirname(gitDir))).filter((name) => name.startsWith(prefix))
  for (const name of names) await rm(join(dirname(gitDir), name), { recursive: true, force: true })
}

/** The commits that are here without their parents, as git lists them. */
export async function readShallow(gitDir: string): Promise<string> {
  return await readFile(join(gitDir, 'shallow'), 'utf8').catch(() => '')
}

/** Makes a folder that knows what the mirror has. Returns the commits at which its history ends. */
async function prepare(mirror: Mirror, { gitDir }: Mirror): Promise<string> {
  // As `git init` makes it; a process of git would take longer than all the rest.
  for (const folder of ['refs', 'objects/info', 'objects/pack']) await mkdir(join(gitDir, folder), { recursive: true })
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(gitDir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  const shallow = await readShallow(mirror.gitDir)
  await writeFile(join(gitDir, 'objects/info/alternates'), `${join(mirror.gitDir, 'objects')}\n`)
  // An empty file makes a shallow repository, too, which some hosts do not fetch into.
  if (shallow !== '') await writeFile(join(gitDir, 'shallow'), shallow)
  return shallow
}

async function markPacks({ gitDir }: Mirror): Promise<void> {
  const folder = join(gitDir, 'objects/pack')
  const names = new Set(await readdir(folder))
  const marks = [...names].filter((name) => name.endsWith('.pack')).map((name) => name.replace(/pack$/, 'promisor'))
  for (const mark of marks.filter((name) => !names.has(name))) await writeFile(join(folder, mark), '')
}

/** git finds a pack by its index, which therefore comes last. */
async function adopt(mirror: Mirror, beside: Mirror, before: string): Promise<void> {
  const [from, to] = [join(beside.gitDir, 'objects/pack'), join(mirror.gitDir, 'objects/pack')]
  const names = (await readdir(from)).filter((name) => /^pack-.*\.(?:pack|rev|idx)$/.test(name))
  const isIndex = (name: string) => name.endsWith('.idx')
  for (const name of [...names.filter((name) => !isIndex(name)), ...names.filter(isIndex)]) {
    await rename(join(from, name), join(to, name))
  }
  await replaceShallow(mirror, beside, before)
}

/** Keeps what became shallow in the mirror while the folder was filled. */
async function replaceShallow(mirror: Mirror, beside: Mirror, before: string): Promise<void> {
  const shallow = join(mirror.gitDir, 'shallow')
  const lines = (text: string) => text.split('\n').filter((line) => line !== '')
  const known = new Set(lines(before))
  const present = lines(await readShallow(mirror.gitDir))
  const all = new Set([...lines(await readShallow(beside.gitDir)), ...present.filter((line) => !known.has(line))])
  if (all.size === 0) return await rm(shallow, { force: true })
  const fresh = join(beside.gitDir, 'shallow.adopted')
  await writeFile(fresh, [...all, ''].join('\n'))
  await rename(fresh, shallow)
}
