// Real repositories for tests: a bare remote, filled with fast-import, and a git engine in a temporary folder. Everything
// is removed after the test.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openGit } from '../../src/git/git.ts'
import type { Git, GitOptions, Repository } from '../../src/git/types.ts'
import { createLog } from '../../src/lib/observability/log.ts'
import { temporaryRoot } from './temporary.ts'

export type Files = Readonly<Record<string, string | Uint8Array | null>>

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

export function createRemote(t: Cleanup, head = 'main'): TestRemote {
  const directory = join(temporaryFolder(t), 'remote.git')
  plainGit(tmpdir(), ['init', '--quiet', '--bare', '--template=', `--initial-branch=${head}`, directory])
  const git: TestRemote['git'] = (args, input) => plainGit(directory, args, input)
  const find: TestRemote['head'] = (branch) =>
    git(['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`]) || null
  return {
    directory,
    git,
    head: find,
    commit: (branch, files, message = 'A change') => {
      git(['fast-import', '--quiet', '--force'], importStream(branch, find(branch), files, message))
      return find(branch) ?? ''
    },
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

function importStream(branch: string, from: string | null, files: Files, message: string): Buffer {
  const text = Buffer.from(message)
  const person = 'Person <person@example.com> 1700000000 +0000'
  const head = `commit refs/heads/${branch}\ncommitter ${person}\ndata ${text.length}\n`
  const parts: (string | Uint8Array)[] = [head, text, from === null ? '\n' : `\nfrom ${from}\n`]
  for (const [path, content] of Object.entries(files)) {
    const name = `"${Array.from(Buffer.from(path), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')}"`
    if (content === null) parts.push(`D ${name}\n`)
    else parts.push(`M 100644 inline ${name}\ndata ${Buffer.byteLength(content)}\n`, content, '\n')
  }
  return Buffer.concat(parts.map((part) => Buffer.from(part)))
}
