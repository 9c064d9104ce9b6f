// Publishes the commit of a run on a host that makes the commits itself. From then on the host's commit is the run's.

import type { HostCommits } from '../../forge/host.ts'
import { publishCommit, type Sent, type Wanted } from '../pulls/publish-commit.ts'
import { writeAsRun } from '../queue/lease.ts'
import { saveCommit } from './commit.ts'
import { reach, type RunContext } from './context.ts'

export async function publishOnHost(
  context: RunContext,
  commits: HostCommits,
  wanted: Wanted & { readonly base: string },
): Promise<Sent> {
  const steps = {
    repository: context.repository,
    commits,
    ref: temporaryRef(context),
    onPushed: async () => {
      await reach(context, 'objects pushed')
      // The host's commit has an id that this run does not know yet, so only a run that holds its claim may ask for it.
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

/** The ref may be gone already. */
export async function dropTemporaryRef(context: RunContext): Promise<void> {
  await context.repository.deleteRef(temporaryRef(context), context.signal)
}

function temporaryRef({ run }: RunContext): string {
  return `refs/docent/${run.id}`
}
