// Publishes the commit of a run on a host that creates the commits itself. Then the host's commit is that of the run.

import type { HostCommits } from '../../forge/host.ts'
import { type OnHost, publishCommit, type Sent } from '../../forge/publish-commit.ts'
import { type LeasedRun, writeAsRun } from '../queue/lease.ts'
import { saveCommit } from './commit.ts'
import { reach, type RunContext, type RunPart } from './context.ts'

export async function publishOnHost(
  context: LeasedRun & RunPart<'repository', 'reached'>,
  commits: HostCommits,
  wanted: OnHost,
): Promise<Sent> {
  const steps = {
    repository: context.repository,
    commits,
    ref: temporaryRef(context),
    onPushed: async () => {
      await reach(context, 'objects pushed')
      // The host's commit gets an id that this run does not know yet, so only a run that holds its claim may request it.
      await writeAsRun(context, () => Promise.resolve())
    },
    onPublished: () => reach(context, 'commit published'),
  }
  const sent = await publishCommit(steps, wanted, context.signal)
  if (sent.kind === 'moved') return sent
  if (sent.commit !== wanted.commit) await saveCommit(context, sent.commit, wanted.expected)
  await reach(context, 'published commit stored')
  return sent
}

/** Succeeds if the ref is already deleted. */
export async function dropTemporaryRef(context: Pick<RunContext, 'repository' | 'run' | 'signal'>): Promise<void> {
  await context.repository.deleteRef(temporaryRef(context), context.signal)
}

const mostFailedRuns = 5

/**
 * The host may have been away when earlier runs of the job gave up. Their refs harm nobody, so a failure ends here. Throws the
 * reason of the signal.
 */
export async function dropRefsOfFailedRuns({ db, repository, run, signal }: LeasedRun & RunPart<'repository', never>) {
  const earlier = await db
    .selectFrom('runs')
    .select(['id', 'error_code'])
    .where('job_id', '=', run.job_id)
    .where('id', '<>', run.id)
    .where('commit_id', 'is not', null)
    .orderBy('number', 'desc')
    .limit(mostFailedRuns)
    .execute()
  // The last run that published has deleted those of the runs before it.
  const published = earlier.findIndex(({ error_code: code }) => code === null)
  for (const failed of earlier.slice(0, published < 0 ? undefined : published)) {
    await repository.deleteRef(temporaryRef({ run: failed }), signal).catch(() => signal.throwIfAborted())
  }
}

function temporaryRef({ run }: { readonly run: Pick<RunContext['run'], 'id'> }): string {
  return `refs/docent/${run.id}`
}
