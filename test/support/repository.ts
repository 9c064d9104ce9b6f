// Bare repositories for tests, created without git, and read with it.

import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { addCommit, createBareRepository } from './bare-repository.ts'

const run = promisify(execFile)

export type Files = Readonly<Record<string, string | Uint8Array>>

/** Runs git in a folder. Returns standard output without the last line break. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd, env: environment(cwd), maxBuffer: 64 * 1024 * 1024 })
  return stdout.replace(/\n$/, '')
}

/** Creates the bare repository `<folder>/docs.git` with one commit on `main`. `content`: files, or a folder to copy. */
export async function createRepository(folder: string, content: Files | string): Promise<string> {
  const bare = join(folder, 'docs.git')
  createBareRepository(bare, 'main')
  const files = typeof content === 'string' ? await readFiles(content) : content
  addCommit(bare, { branch: 'main', files, message: 'first\n', person: personNow() })
  return bare
}

/** Commits these files to a branch. Returns the id of the commit. */
export function pushAsPerson(bare: string, branch: string, files: Files): string {
  return addCommit(bare, { branch, files, message: 'by a person\n', person: personNow() })
}

const personNow = () => `A Person <person@example.com> ${Math.floor(Date.now() / 1_000)} +0000`

export function show(bare: string, ref: string, path: string): Promise<string> {
  return git(bare, 'show', `${ref}:${path}`)
}

export async function branches(bare: string): Promise<readonly string[]> {
  return (await git(bare, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')).split('\n')
}

async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [relative(folder, path), await readFile(path)] as const)),
  )
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
