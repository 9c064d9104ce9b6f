// Bare repositories for tests, created without git, and read with it.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { addCommit, createBareRepository } from './bare-repository.ts'
import { readFolder } from './memory-workspace.ts'

const run = promisify(execFile)

export type Files = Readonly<Record<string, string | Uint8Array>>

/** Runs git in a folder. Returns standard output without the last line break. */
export async function git(cwd: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run('git', [...args], { cwd, env: environment(cwd), maxBuffer: 64 * 1024 * 1024 })
  return stdout.replace(/\n$/, '')
}

/** Creates the bare repository `<folder>/docs.git` with one commit on `main`. `content`: files, or a folder to copy. */
export function createRepository(folder: string, content: Files | string): string {
  const bare = join(folder, 'docs.git')
  createBareRepository(bare, 'main')
  const files = typeof content === 'string' ? readFolder(content) : content
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
