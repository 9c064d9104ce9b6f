// Opens a repository on this machine as a `Repository` that changes nothing in it: an empty mirror in a temporary folder
// that borrows its objects. Drafts go into the mirror. Nothing of the repository's configuration and hooks is used.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Log } from '../lib/observability/log.ts'
import { Failure } from '../lib/failure.ts'
import { createMirror } from './cache/mirror.ts'
import { openRepository } from './repository.ts'
import { parseAddress } from './transport/address.ts'
import { usualPath } from './transport/env.ts'
import { createRunner, isDone, type Runner } from './transport/run.ts'
import type { GitOptions, Repository } from './types.ts'

/** Those that need no remote. */
export type BorrowedRepository = Pick<Repository, 'tree' | 'commit' | 'has' | 'maxFileBytes'>

type Limits = Pick<GitOptions, 'maxRepositoryFiles' | 'maxFileBytes'> & { readonly log: Log }

const timeoutMs = 120_000
const id = 'borrowed'

/** Throws `invalid_input` if there is no repository in the folder. `close` deletes the mirror. */
export async function borrowRepository(
  path: string,
  limits: Limits,
): Promise<{ readonly repository: BorrowedRepository; readonly close: () => Promise<void> }> {
  const folder = resolve(path)
  const directory = await mkdtemp(join(tmpdir(), 'docent-replay-'))
  const runner = createRunner({ home: directory, path: usualPath, timeoutMs })
  const closeAll = async () => {
    await runner.close()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    const [objects, format] = await findObjects(runner, folder)
    const options = { ...fixed, ...limits, directory }
    const mirror = createMirror(runner, options, id, parseAddress(folder, options))
    const args = ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, '--', mirror.gitDir]
    if (!isDone(await runner.run({ args }))) throw new Failure('unavailable', 'git could not make a temporary folder.')
    await writeFile(join(mirror.gitDir, 'objects/info/alternates'), `${objects}\n`)
    const open = openRepository(mirror)
    return {
      repository: open.repository,
      close: async () => {
        await open.end()
        await closeAll()
      },
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Returns the folder of the objects, and how they are hashed. */
async function findObjects(runner: Runner, folder: string): Promise<readonly [string, string]> {
  const args = ['rev-parse', '--path-format=absolute', '--git-path', 'objects', '--show-object-format']
  // A bare repository is found only when it is named.
  for (const call of [{ args: ['-C', folder, ...args] }, { gitDir: folder, args }]) {
    const asked = await runner.run(call)
    const [objects = '', format = ''] = isDone(asked) ? asked.stdout.toString('utf8').trim().split('\n') : []
    if (objects !== '' && format !== '') return [objects, format]
  }
  throw new Failure('invalid_input', `There is no git repository in ${folder}.`)
}

const fixed = {
  allowLocal: true,
  privateHosts: [],
  maxRepositoryBytes: Infinity,
  timeoutMs,
  identity: { name: 'Docent', email: 'docent@localhost' },
}
