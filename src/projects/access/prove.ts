// Proves a setup: creates a scratch branch with one commit, opens a draft pull request, closes it, and deletes the branch. It
// publishes with the functions of a job, so a host gets the same requests, for refs of the same names. If a step fails,
// everything that was created is removed again.

import { randomBytes } from 'node:crypto'
import { forgeNames } from '../../forge/forge.ts'
import type { ForgeHost, HostedPull } from '../../forge/host.ts'
import { closeOnHost, proposeOnHost } from '../../forge/propose.ts'
import { type PublicationInput, commitSettingsOf, publicationOf, pullSettingsOf } from '../../forge/publication.ts'
import { publishCommit, pushByGit, type Sent } from '../../forge/publish-commit.ts'
import { createTurns } from '../../forge/turns.ts'
import type { Repository } from '../../git/types.ts'
import type { Clock } from '../../lib/clock.ts'
import { Failure, toFailure } from '../../lib/failure.ts'
import { readCredential } from '../credentials.ts'
import type { AccessContext } from './access.ts'
import { forgetLearned } from './learned.ts'

export const stepNames = ['read', 'push', 'verify', 'open', 'close', 'delete'] as const

export type ProofStep = {
  readonly step: (typeof stepNames)[number]
  readonly state: 'done' | 'failed' | 'skipped'
  /** The action, or the reason why it was not done, without a full stop. */
  readonly detail: string
}

const endingMs = 60_000

export type ProofContext = AccessContext & { readonly clock: Clock }

/** `id` names the branch, the file and the temporary ref. */
type Planned = { readonly id: string; readonly branch: string; readonly base: string; readonly baseCommit: string }
type Scratch = Planned & { readonly commit: string }

/** Does not throw for failures of the host: a failed step is a result. Throws `not_found`, and the reason of `signal`. */
export async function proveAccess(
  context: ProofContext,
  projectId: string,
  signal: AbortSignal,
): Promise<readonly ProofStep[]> {
  const query = context.db
    .selectFrom('projects')
    .select(['repository', 'fork', 'branch', 'pull_request', 'commit'])
    .where('id', '=', projectId)
  const project = await query.executeTakeFirst()
  if (!project) throw new Failure('not_found', 'There is no such project.')
  const repository = context.git.repository(projectId, project.repository, project.fork)
  const steps = createSteps()
  const id = randomBytes(6).toString('hex')
  const branch = `${pullSettingsOf(project).branchPrefix}check-${id}`
  const start = await steps.run('read', async () => {
    const { base } = await repository.fetch({ branch: project.branch, branches: [], planned: branch }, signal)
    const value = { id, branch, base: base.branch, baseCommit: base.commit }
    return { value, detail: `${base.branch} is at ${base.commit.slice(0, 12)}` }
  })
  const { host } = start ? await context.connections.of(projectId, signal) : { host: undefined }
  const target = { repository, project, service: context.git.identity, host }
  const scratch = start && (await steps.run('push', () => pushScratch(target, start, signal)))
  signal.throwIfAborted()
  if (!scratch) return steps.all()
  await forgetLearned(context.db, projectId)
  // From here on a caller that leaves must not leave the branch behind.
  const ending = AbortSignal.timeout(endingMs)
  const isSigned = (await readCredential(context.db, projectId))?.signingKey
  if (host && isSigned) await verify(steps, host, scratch, ending)
  if (host) await openAndClose(steps, { host, clock: context.clock }, scratch, ending)
  else steps.skip(['open', 'close'], 'pull requests of this project are kept by Docent itself')
  await steps.run('delete', async () => {
    await repository.restoreBranch({ branch, expected: scratch.commit, to: null }, ending)
    return { value: true, detail: `deleted ${branch}` }
  })
  return steps.all()
}

type Done<T> = { readonly value: T; readonly detail: string }
type Steps = ReturnType<typeof createSteps>

function createSteps() {
  const done = new Map<ProofStep['step'], ProofStep>()
  return {
    /** Returns undefined if the step failed. */
    run: async <T>(step: ProofStep['step'], work: () => Promise<Done<T>>): Promise<T | undefined> => {
      try {
        const { value, detail } = await work()
        done.set(step, { step, state: 'done', detail })
        return value
      } catch (error) {
        done.set(step, { step, state: 'failed', detail: toFailure(error).message.replace(/\.$/, '') })
        return undefined
      }
    },
    skip: (steps: readonly ProofStep['step'][], detail: string) => {
      for (const step of steps) done.set(step, { step, state: 'skipped', detail })
    },
    all: () =>
      // Without a key nothing is to be verified.
      stepNames
        .filter((step) => step !== 'verify' || done.has(step))
        .map((step) => done.get(step) ?? { step, state: 'skipped' as const, detail: notReached }),
  }
}

const notReached = 'a step before it failed'

type Target = Pick<PublicationInput, 'project' | 'service'> & {
  readonly repository: Repository
  readonly host: ForgeHost | undefined
}

/** Named and made like those of jobs, so that the rules of the host judge them alike. */
async function pushScratch(target: Target, planned: Planned, signal: AbortSignal): Promise<Done<Scratch>> {
  const { id, branch, baseCommit } = planned
  const title = 'Check that Docent can push'
  const commit = { title, trailers: [`Docent-Job: ${id}`] }
  const { message, author } = publicationOf({ ...target, branch, commit })
  const content = Buffer.from('A check of access. Delete it.\n')
  const made = await target.repository.commit({
    parent: baseCommit,
    edits: [{ path: `docent-check-${id}.txt`, content, mode: '100644' }],
    message,
    date: new Date(),
    author,
  })
  const sent = await publish(target, { ...planned, commit: made }, signal)
  if (sent.kind === 'moved') throw new Failure('branch_conflict', `The branch ${branch} exists already.`)
  return { value: { ...planned, commit: sent.commit }, detail: `created ${branch}` }
}

/** Asks the host whether it knows the key that signed the commit. */
async function verify(steps: Steps, host: ForgeHost, { commit }: Scratch, signal: AbortSignal) {
  await steps.run('verify', async () => {
    const { isVerified, reason } = await host.verification(commit, signal)
    const name = forgeNames[host.kind]
    if (isVerified) return { value: true, detail: `${name} shows the commit as verified` }
    const words = `${name} does not verify the commit (${reason}). Enter the public key there, for the account whose address the commit has: docent project credential sign`
    throw new Failure('forge_refused', words)
  })
}

/** As a run does it: through the host, if that makes the commits itself. */
async function publish(
  { repository, project, host }: Target,
  { id, branch, commit }: Scratch,
  signal: AbortSignal,
): Promise<Sent> {
  await host?.forks?.sync(signal)
  const wanted = { branch, commit, expected: null }
  const commits = host?.commits
  if (!commits) return pushByGit(repository, wanted, signal)
  const ref = `refs/docent/check-${id}`
  try {
    const { author } = commitSettingsOf(project)
    return await publishCommit({ repository, commits, ref }, { ...wanted, author }, signal)
  } finally {
    await repository.deleteRef(ref, AbortSignal.timeout(endingMs))
  }
}

type Opening = { readonly host: ForgeHost; readonly clock: Clock }

async function openAndClose(steps: Steps, { host, clock }: Opening, scratch: Scratch, signal: AbortSignal) {
  const checkClaim = () => Promise.resolve()
  // Nobody else knows the branch.
  const context = { host, clock, checkClaim, turns: createTurns(), deadlineMs: endingMs / 2 }
  const pull = await steps.run('open', async () => {
    const opened = await openDraft(context, scratch, signal)
    return { value: opened, detail: `opened the draft #${opened.number}: ${opened.link}` }
  })
  if (!pull) return
  await steps.run('close', async () => {
    await closeOnHost(context, pull.number, signal)
    return { value: true, detail: `closed #${pull.number}` }
  })
}

async function openDraft(
  context: Parameters<typeof proposeOnHost>[0],
  { id, branch, base, commit }: Scratch,
  signal: AbortSignal,
): Promise<HostedPull> {
  const text = 'Docent opened this draft to check its access, and closes it at once.'
  const texts = { title: 'Check that Docent can open pull requests', text, note: '', facts: '' }
  const proposal = { ...texts, jobId: id, draft: true, branch, base, headCommit: commit, labels: [], reviewers: [] }
  const proposed = await proposeOnHost(context, proposal, signal)
  if (!proposed) throw new Failure('forge_refused', `The forge sees no change on ${branch}.`)
  return proposed.pull
}
