// Reads from the repository of a folder of this machine which files changed in its commits since an earlier one, and what happened
// before. Files that are not committed do not count. Changes nothing, and runs no filter, hook or program of the repository.

import { Failure } from '../../lib/failure.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { type GitResult, isDone } from '../transport/run.ts'
import type { FileDiff } from '../types.ts'

/** Paths are relative to the top of the repository. */
export type CommittedChanges = {
  readonly files: readonly Pick<FileDiff, 'path' | 'previousPath' | 'status' | 'patch'>[]
  /** The messages of the commits, the newest first. */
  readonly messages: readonly string[]
  /** The commits before the change, the newest first. */
  readonly history: readonly { readonly paths: readonly string[]; readonly message: string }[]
}

const unread = 'git could not read the history'

export type Git = (...args: readonly string[]) => Promise<GitResult>

/** A change with more is judged by its newest ones. */
const maxMessages = 200
const maxHistory = 2_000
/** Longer patches are data; without them the names of the files remain. */
const maxPatch = 500_000
const flags = [
  '--find-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=none',
  '--unified=0',
  '--src-prefix=a/',
  '--dst-prefix=b/',
]

/** Throws `invalid_input` if HEAD and the commit have no common one. */
export async function readChanges(git: Git, ref: string): Promise<CommittedChanges> {
  const base = (
    await read(git, `HEAD and ${ref} have no common commit`, 'merge-base', '--end-of-options', ref, 'HEAD')
  ).trim()
  const past = [
    '--no-show-signature',
    '--first-parent',
    '--diff-merges=first-parent',
    '--name-only',
    '--no-renames',
    '--format=%x01%B',
  ]
  const [patches, messages, history] = await Promise.all([
    read(git, 'git could not compare the commits', '-c', 'core.quotePath=false', 'diff', ...flags, base, 'HEAD', '--'),
    read(
      git,
      unread,
      'log',
      '-z',
      '--no-show-signature',
      '--format=%B',
      `--max-count=${maxMessages}`,
      `${base}..HEAD`,
      '--',
    ),
    read(git, unread, 'log', '-z', ...past, `--max-count=${maxHistory}`, base, '--'),
  ])
  return {
    files: toFiles(patches),
    messages: messages.split('\0').filter((text) => text !== ''),
    history: toHistory(history),
  }
}

/** The first commits of its history: two repositories that share one have a common history. */
export async function readRoots(git: Git): Promise<readonly string[]> {
  const roots = await read(git, unread, 'rev-list', '--max-parents=0', 'HEAD', '--')
  return roots.trim().split('\n')
}

async function read(git: Git, problem: string, ...args: readonly string[]): Promise<string> {
  const result = await git(...args)
  if (isDone(result)) return result.stdout.toString('utf8')
  const words = sanitise(result.stderr).trim()
  throw new Failure('invalid_input', `${problem}${words === '' ? '' : `: ${words}`}. Is the whole history fetched?`)
}

/** At the start of a line these words are always a header: content lines begin with +, - or \. */
function toFiles(patches: string): CommittedChanges['files'] {
  return patches.split(/^(?=diff --git )/m).flatMap((patch) => {
    const head = patch.slice(0, patch.search(/^@@ /m) === -1 ? undefined : patch.search(/^@@ /m))
    const [from, to] = [
      nameIn(head, /^(?:--- a\/|rename from )(.+)$/m),
      nameIn(head, /^(?:\+\+\+ b\/|rename to )(.+)$/m),
    ]
    const path = to ?? from ?? /^diff --git a\/.+ b\/(.+)$/m.exec(head)?.[1]
    if (path === undefined) return []
    const isRenamed = from !== undefined && to !== undefined && from !== to
    const status = isRenamed
      ? ('renamed' as const)
      : /^new file/m.test(head)
        ? ('added' as const)
        : /^deleted file/m.test(head)
          ? ('deleted' as const)
          : ('modified' as const)
    return [{ path, previousPath: isRenamed ? from : null, status, patch: patch.length > maxPatch ? '' : patch }]
  })
}

/** Git ends a name with a space in it by a tabulator. */
function nameIn(head: string, pattern: RegExp): string | undefined {
  return pattern.exec(head)?.[1]?.replace(/\t$/, '')
}

function toHistory(past: string): CommittedChanges['history'] {
  return past
    .split('\u0001')
    .slice(1)
    .map((text) => {
      const [message = '', ...paths] = text.split('\0')
      return { message, paths: paths.map((path) => path.replace(/^\n/, '')).filter((path) => path !== '') }
    })
}
