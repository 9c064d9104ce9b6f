// Creates the repository of the demo: a bare one whose first commit is the example site.

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const examples = fileURLToPath(new URL('../../../examples/docs', import.meta.url))

/** Creates a new folder below `parent` each time. Returns the path of the bare repository. */
export async function createDemoRepository(parent: string): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(parent, 'demo-'))
  const work = join(folder, 'work')
  const bare = join(folder, 'docs.git')
  await cp(examples, work, { recursive: true })
  await git(work, ['init', '--quiet', '--initial-branch=main'])
  await git(work, ['add', '--all'])
  await git(work, ['commit', '--quiet', '--message=The documentation of Acme'])
  await git(folder, ['clone', '--quiet', '--bare', work, bare])
  await rm(work, { recursive: true })
  return bare
}

/** Returns the newest commits of the branch, one per line. */
export async function readLog(bare: string, branch: string): Promise<readonly string[]> {
  const { stdout } = await git(bare, ['log', '--oneline', '--graph', '--max-count=6', branch, '--'])
  return stdout.trimEnd().split('\n')
}

function git(cwd: string, args: readonly string[]) {
  const identity = { GIT_AUTHOR_NAME: 'Acme', GIT_AUTHOR_EMAIL: 'docs@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Acme', GIT_COMMITTER_EMAIL: 'docs@example.com' }
  const clean = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    HOME: cwd,
  }
  return run('git', [...args], { cwd, env: { ...clean, ...identity, ...committer } })
}
