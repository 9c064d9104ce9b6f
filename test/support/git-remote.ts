// Real repositories for tests: a bare remote, filled without git, and a git engine in a temporary folder. Everything is
// removed after the test.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openGit } from '../../src/git/git.ts'
import type { Git, GitOptions, Repository } from '../../src/git/types.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { addCommit, createBareRepository, readRef } from './bare-repository.ts'
import type { Files } from './git-objects.ts'
import { temporaryRoot } from './temporary.ts'

export type TestRemote = {
  /** The bare repository. */
  readonly directory: string
  /** Runs a git command in the repository. */
  git(args: readonly string[], input?: string | Uint8Array): string
  /** Makes one commit on the branch, which it creates if necessary. null deletes a file. Returns the id of the commit. */
  commit(branch: string, files: Files, message?: string): string
  head(branch: string): string | null
}

/** The part of a test context that registers cleanup. The `after` of a suite fits too. */
export type Cleanup = Pick<TestContext, 'after'>

export const signal = (): AbortSignal => AbortSignal.timeout(60_000)

export function temporaryFolder(t: Cleanup): string {
  const folder = mkdtempSync(join(temporaryRoot, 'git-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** An environment in which git ignores the configuration of the machine. */
export const plainEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Person',
  GIT_AUTHOR_EMAIL: 'person@example.com',
  GIT_COMMITTER_NAME: 'Person',
  GIT_COMMITTER_EMAIL: 'person@example.com',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_DATE: '1700000000 +0000',
}

export function plainGit(cwd: string, args: readonly string[], input?: string | Uint8Array): string {
  const stdio = 'pipe' as const
  const options = { cwd, env: plainEnvironment, encoding: 'utf8' as const, stdio, maxBuffer: 1e8 }
  return execFileSync('git', args, input === undefined ? options : { ...options, input }).trim()
}

export const person = 'Person <person@example.com> 1700000000 +0000'

export function createRemote(t: Cleanup, head = 'main'): TestRemote {
  const directory = join(temporaryFolder(t), 'remote.git')
  createBareRepository(directory, head)
  return {
    directory,
    git: (args, input) => plainGit(directory, args, input),
    head: (branch) => readRef(directory, `refs/heads/${branch}`) ?? null,
    commit: (branch, files, message = 'A change') => addCommit(directory, { branch, files, message, person }),
  }
}

/** Opens a git engine. `given` overrides its options. */
export async function testGit(t: Cleanup, given: Partial<GitOptions> = {}): Promise<Git> {
  const directory = given.directory ?? join(temporaryFolder(t), 'mirrors')
  const git = await openGit({
    directory,
    allowLocal: true,
    privateHosts: [],
    maxRepositoryBytes: 100_000_000,
    maxRepositoryFiles: 20_000,
    maxFileBytes: 1_000_000,
    timeoutMs: 30_000,
    identity: { name: 'Docent', email: 'docent@example.com' },
    log: createLog('silent'),
    ...given,
  })
  t.after(async () => await git.close())
  return git
}

/** Opens a repository with its own remote. */
export async function testRepository(
  t: Cleanup,
  given: Partial<GitOptions> = {},
): Promise<{ remote: TestRemote; repository: Repository; git: Git }> {
  const remote = createRemote(t)
  const git = await testGit(t, given)
  return { remote, git, repository: git.repository('prj_test', remote.directory) }
}

/** Waits until the mirror has its history. */
export async function waitForHistory(repository: Pick<Repository, 'contains'>): Promise<void> {
  await repository.contains('0'.repeat(40), signal())
}

/** Returns bytes that do not compress. The same every time. */
export function noise(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  let state = 12345
  for (let at = 0; at < bytes; at += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    buffer[at] = state >>> 24
  }
  return buffer
}
