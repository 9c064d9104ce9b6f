// Bare repositories for tests, created and read with git itself.

import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type Files = Readonly<Record<string, string | Uint8Array>>

/** Runs git in a folder. Returns standard output without the last line break. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd, env: environment(cwd), maxBuffer: 64 * 1024 * 1024 })
  return stdout.replace(/\n$/, '')
}

/** Creates the bare repository `<folder>/docs.git` with one commit on `main`. `content`: files, or a folder to copy. */
export async function createRepository(folder: string, content: Files | string): Promise<string> {
  const work = join(folder, 'work')
  await mkdir(work, { recursive: true })
  if (typeof content === 'string') await cp(content, work, { recursive: true })
  else await writeFiles(work, content)
  await git(work, 'init', '--quiet', '--initial-branch=main')
  await git(work, 'add', '--all')
  await git(work, 'commit', '--quiet', '--message=first', '--no-gpg-sign')
  const bare = join(folder, 'docs.git')
  await git(folder, 'clone', '--quiet', '--bare', work, bare)
  await rm(work, { recursive: true })
  return bare
}

/** Commits and pushes these files to a branch, as a person does. */
export async function pushAsPerson(bare: string, branch: string, files: Files): Promise<string> {
  const work = `${bare}-person`
  await git(dirname(bare), 'clone', '--quiet', '--branch', branch, bare, work)
  await writeFiles(work, files)
  await git(work, 'add', '--all')
  await git(work, 'commit', '--quiet', '--message=by a person', '--no-gpg-sign')
  await git(work, 'push', '--quiet', 'origin', branch)
  const head = await git(work, 'rev-parse', 'HEAD')
  await rm(work, { recursive: true })
  return head
}

export function show(bare: string, ref: string, path: string): Promise<string> {
  return git(bare, 'show', `${ref}:${path}`)
}

export async function branches(bare: string): Promise<readonly string[]> {
  return (await git(bare, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')).split('\n')
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, path)
    await mkdir(dirname(place), { recursive: true })
    await writeFile(place, content)
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_NAME: 'A Person',
    GIT_AUTHOR_EMAIL: 'person@example.com',
    GIT_COMMITTER_NAME: 'A Person',
    GIT_COMMITTER_EMAIL: 'person@example.com',
  }
}
