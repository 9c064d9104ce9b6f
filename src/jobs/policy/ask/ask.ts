// Answers what a job of a project could do with files that somebody sends. The whole judgement runs in a thread with the
// limits of the one that reads files for runs, but not in that one, so that questions keep no run waiting. Of the base it
// knows what the last run left in the mirror; it fetches nothing.

import { contentOf } from '../../../git/read/content.ts'
import type { Git, Tree } from '../../../git/types.ts'
import { Failure, invalidInput } from '../../../lib/failure.ts'
import { createLine } from '../../../lib/few-at-once.ts'
import { askThread, createThreads, startThread } from '../../../lib/threads/threads.ts'
import type { Db } from '../../../postgres/types.ts'
import type { PathPolicy } from '../../../projects/settings.ts'
import { limits } from '../content/read/threads.ts'
import type { GivenBase } from './given-tree.ts'
import type { FileText, FileVerdict } from './judge-files.ts'

/** `before`: the text before the change, instead of that of the base. */
export type AskedFile = FileText & { readonly before?: string | undefined }

/** The message to the thread. */
export type Asked = { readonly policy: PathPolicy; readonly base: GivenBase; readonly files: readonly FileText[] }

type AskingProject = {
  readonly id: string
  readonly repository: string
  readonly fork: string | null
  readonly pathPolicy: PathPolicy
}

export type Answer = {
  readonly files: readonly FileVerdict[]
  /** The sources of the verdicts. `commit`: of the base, as the last run found it; null: its files are not at hand. */
  readonly basis: { readonly commit: string | null; readonly message: string }
}

export type PolicyQuestions = {
  /** Throws `invalid_input` for files that take too long, and `unavailable` if too many are waiting. */
  readonly ask: (project: AskingProject, files: readonly AskedFile[]) => Promise<Answer>
  readonly close: () => Promise<void>
}

/** Each keeps its files in memory while it waits. */
const waiting = 20

type Stores = { readonly db: Db; readonly git: Git }

export function createPolicyQuestions(
  { db, git }: Stores,
  { timeMs }: { readonly timeMs: number } = limits,
): PolicyQuestions {
  const { idleMs, memoryMb } = limits
  const start = () => startThread(new URL('worker.ts', import.meta.url), memoryMb)
  const threads = createThreads({ start, idleMs, most: 1 })
  const full = () => new Failure('unavailable', 'Too many files are being judged. Try again soon.', { retryAfter: 5 })
  const inTurn = createLine({ atOnce: 1, waiting, full })
  const judge = (asked: Asked) =>
    threads.use((thread) => askThread<readonly FileVerdict[]>(thread, asked, AbortSignal.timeout(timeMs)))
  return {
    ask: (project, files) =>
      inTurn(async () => {
        const tree = await findBase({ db, git }, project)
        const base = await toGiven(tree, files)
        const asked = { policy: project.pathPolicy, base, files: files.map(({ path, text }) => ({ path, text })) }
        const verdicts = await judge(asked)
        if (verdicts) return { files: verdicts, basis: { commit: tree?.commit ?? null, message: basisOf(tree) } }
        throw invalidInput('#/files', `take more than ${timeMs / 1_000} seconds or ${memoryMb} MB to judge`)
      }),
    close: () => threads.close(),
  }
}

/** The base of the last run, if its commit is in the mirror of this machine. */
async function findBase(
  { db, git }: Stores,
  { id, repository: address, fork }: AskingProject,
): Promise<Tree | undefined> {
  const run = await db
    .selectFrom('runs')
    .innerJoin('jobs', 'jobs.id', 'runs.job_id')
    .select('runs.base_commit')
    .where('jobs.project_id', '=', id)
    .where('runs.base_commit', 'is not', null)
    .orderBy('jobs.created_at', 'desc')
    .orderBy('runs.number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const commit = run?.base_commit ?? undefined
  if (commit === undefined) return undefined
  const repository = git.repository(id, address, fork)
  try {
    return (await repository.has(commit)) ? await repository.tree(commit) : undefined
  } catch (error) {
    // Without the base, a damaged mirror is no obstacle; the next run repairs it.
    if (error instanceof Failure) return undefined
    throw error
  }
}

async function toGiven(tree: Tree | undefined, files: readonly AskedFile[]): Promise<GivenBase> {
  const texts = new Map<string, string>()
  for (const { path, before } of files) {
    const bytes = before === undefined && tree ? await contentOf(tree, path) : undefined
    const text = before ?? (bytes && new TextDecoder().decode(bytes))
    if (text !== undefined) texts.set(path, text)
  }
  const paths = tree ? tree.entries().flatMap(({ path, kind }) => (kind === 'file' ? [path] : [])) : []
  return { paths, texts, entries: files.flatMap(({ path }) => tree?.entry(path) ?? []) }
}

const others =
  'No other file of the base was read: a host, an import, a folder of snippets or code that only another page has counts as new.'

function basisOf(tree: Tree | undefined): string {
  return tree
    ? `The names of the files in commit ${tree.commit.slice(0, 12)}, the base of the last job, and the texts of these files there or in \`before\`. ${others}`
    : `Only what was sent, because no job has left the files of the base here: the kind of the site is not known unless its configuration is sent with \`before\`. ${others}`
}
