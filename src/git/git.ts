// Opens the git engine: finds the binary, keeps one instance per repository, and ends all processes. All work runs the
// git binary on bare mirrors; there is no working copy.

import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { Failure } from '../lib/failure.ts'
import { type Address, parseAddress } from './transport/address.ts'
import { usualPath } from './transport/env.ts'
import { createMirror, removeDirectory } from './cache/mirror.ts'
import { type OpenRepository, openRepository } from './repository.ts'
import { type Runner, createRunner } from './transport/run.ts'
import { type OpenSource, openSource } from './source/source.ts'
import type { Git, GitOptions } from './types.ts'
import { removeOldKeys } from './transport/ssh/key-folder.ts'
import { checkKey } from './transport/ssh/check-key.ts'
import { hasSsh } from './transport/ssh/command.ts'
import { checkVersion } from './transport/version.ts'

type Known = { readonly address: Address; readonly fork: Address | null; readonly open: OpenRepository }
type KnownSource = { readonly address: Address; readonly open: OpenSource }

/** Unfinished folders of a killed process are deleted when they are older than this. */
const leftoverMs = 3_600_000

/** Throws `config_invalid` when git is missing or too old. */
export async function openGit(given: GitOptions): Promise<Git> {
  const directory = resolve(given.directory)
  const options = { ...given, directory }
  const home = join(directory, '.home')
  await mkdir(home, { recursive: true, mode: 0o700 })
  const runner = createRunner({ home, path: options.path ?? usualPath, timeoutMs: options.timeoutMs })
  const version = await checkVersion(runner, options.log)
  await removeLeftovers(directory)
  await removeOldKeys(directory, leftoverMs)
  return createGit(runner, { ...options, hasSsh: await hasSsh(options.path ?? usualPath) }, version)
}

function createGit(runner: Runner, options: GitOptions & { readonly hasSsh: boolean }, version: string): Git {
  const known = new Map<string, Known>()
  const sources = new Map<string, KnownSource>()
  return {
    version,
    identity: options.identity,
    checkAddress: (address) => parseAddress(address, options).href,
    checkKey: (given) => {
      if (!options.hasSsh) throw new Failure('invalid_input', 'ssh is not installed where the service runs.')
      return checkKey(given, options.directory, options.path ?? usualPath)
    },
    source: (id, text) => {
      checkId(id)
      if (known.has(id)) throw new Failure('internal', 'A source has a mirror of its own.')
      const address = parseAddress(text, options)
      const found = sources.get(id)
      if (found?.address.href === address.href) return found.open.source
      const open = openSource(createMirror(runner, options, id, address))
      if (found !== undefined) void found.open.end()
      sources.set(id, { address, open })
      return open.source
    },
    repository: (id, text, forkText = null) => {
      checkId(id)
      if (sources.has(id)) throw new Failure('internal', 'A source is never written.')
      const address = parseAddress(text, options)
      const fork = forkText === null ? null : parseAddress(forkText, options)
      const found = known.get(id)
      if (found?.address.href === address.href && found.fork?.href === fork?.href) return found.open.repository
      const open = openRepository(createMirror(runner, options, id, address), fork)
      // The next fetch replaces the mirror of the old address; this only ends the process that reads it.
      if (found !== undefined) void found.open.end()
      known.set(id, { address, fork, open })
      return open.repository
    },
    mirrors: async () =>
      (await readdir(options.directory)).flatMap((name) => /^([A-Za-z0-9_-]{1,64})\.git$/.exec(name)?.[1] ?? []),
    remove: async (id) => {
      checkId(id)
      const found = known.get(id) ?? sources.get(id)
      known.delete(id)
      sources.delete(id)
      if (found !== undefined) await found.open.remove()
      else await removeDirectory(join(options.directory, `${id}.git`))
    },
    close: async () => {
      await Promise.all([...known.values(), ...sources.values()].map(({ open }) => open.end()))
      await runner.close()
    },
  }
}

function checkId(id: string): void {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) throw new Failure('internal', 'The id of a repository is no plain name.')
}

async function removeLeftovers(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => /\.git\.(new|old|history|fetch)-[0-9a-f]+$/.test(name))
  for (const name of names) {
    const path = join(directory, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    if (Date.now() - mtimeMs > leftoverMs) await rm(path, { recursive: true, force: true })
  }
}
