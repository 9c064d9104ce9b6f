// Proves a setup: creates a scratch branch with one commit, opens a draft pull request, closes it, and deletes the branch.
// If a step fails, everything that was created is removed again.

import { randomBytes } from 'node:crypto'
import { forgeNames } from '../../forge/forge.ts'
import type { ForgeHost, HostedPull } from '../../forge/host.ts'
import { type PublicationInput, publicationOf, pullSettingsOf } from '../../forge/publication.ts'
import type { Repository } from '../../git/types.ts'
import { Failure, toFailure } from '../../lib/failure.ts'
import { readCredential } from '../credentials.ts'
import type { AccessContext } from './access.ts'

export const stepNames = ['read', 'push', 'verify', 'open', 'close', 'delete'] as const

export type ProofStep = {
  readonly step: (typeof stepNames)[number]
  readonly state: 'done' | 'failed' | 'skipped'
  /** The action, or the reason why it was not done, without a full stop. */
  readonly detail: string
}

const endingMs = 60_000

type Scratch = { readonly branch: string; readonly base: string; readonly commit: string }

/** Does not throw for failures of the host: a failed step is a result. Throws `not_found`, and the reason of `signal`. */
export async function proveAccess(
  context: AccessContext,
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
  const start = await steps.run('read', async () => {
    const { base } = await repository.fetch({ branch: project.branch, branches: [] }, signal)
    return { value: base, detail: `${base.branch} is at ${base.commit.slice(0, 12)}` }
  })
  const target = { repository, project, service: context.git.identity }
  const scratch = start && (await steps.run('push', () => pushScratch(target, start, signal)))
  signal.throwIfAborted()
  if (!scratch) return steps.all()
  // From here on a caller that leaves must not leave the branch behind.
  const ending = AbortSignal.timeout(endingMs)
  const { host } = await context.connections.of(projectId, ending)
  const isSigned = (await readCredential(context.db, projectId))?.signingKey
  if (host && isSigned) await verify(steps, host, scratch, ending)
  if (host) await openAndClose(steps, host, scratch, ending)
  else steps.skip(['open', 'close'], 'pull requests of this project are kept by Docent itself')
  await steps.run('delete', async () => {
    await repository.restoreBranch({ branch: scratch.branch, expected: scratch.commit, to: null }, ending)
    return { value: true, detail: `deleted ${scratch.branch}` }
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

type Target = Pick<PublicationInput, 'project' | 'service'> & { readonly repository: Repository }

/** Named and made like those of jobs, so that the rules of the host judge them alike. */
async function pushScratch(
  { repository, project, service }: Target,
  base: { readonly branch: string; readonly commit: string },
  signal: AbortSignal,
): Promise<Done<Scratch>> {
  const id = randomBytes(6).toString('hex')
  const { branch, message, author } = publicationOf({
    project,
    service,
    branch: `${pullSettingsOf(project).branchPrefix}check-${id}`,
    commit: { title: 'Check that Docent can push' },
  })
  const commit = await repository.commit({
    parent: base.commit,
    edits: [
      { path: `docent-check-${id}.txt`, content: Buffer.from('A check of access. Delete it.\n'), mode: '100644' },
    ],
    message,
    date: new Date(),
    author,
  })
  const pushed = await repository.push({ branch, commit, expected: null }, signal)
  if (pushed.kind === 'moved') throw new Failure('branch_conflict', `The branch ${branch} exists already.`)
  return { value: { branch, base: base.branch, commit }, detail: `created ${branch}` }
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

async function openAndClose(steps: Steps, host: ForgeHost, { branch, base }: Scratch, signal: AbortSignal) {
  const pull = await steps.run('open', async () => {
    const opened = await openDraft(host, { branch, base }, signal)
    return { value: opened, detail: `opened the draft #${opened.number}: ${opened.link}` }
  })
  if (!pull) return
  await steps.run('close', async () => {
    await host.close(pull.number, signal)
    return { value: true, detail: `closed #${pull.number}` }
  })
}

async function openDraft(
  host: ForgeHost,
  { branch, base }: Pick<Scratch, 'branch' | 'base'>,
  signal: AbortSignal,
): Promise<HostedPull> {
  const title = 'Check that Docent can open pull requests'
  const body = 'Docent opened this draft to check its access, and closes it at once.'
  const created = await host.create({ title, body, base, branch, draft: true }, signal)
  if (created.kind === 'created') return created.pull
  // Nobody else knows this branch: a pull request of it is the one whose response was lost.
  const found = (await host.listByBranch(branch, signal)).find(({ state }) => state === 'open')
  if (found) return found
  throw new Failure('forge_unavailable', 'The response of the forge was lost, and no pull request is there.')
}
