// The merge of Docent's own pull requests by the service itself. They have no checks, no reviews and no threads: a
// comment is a message to the job, which is active until it has answered.

import { Failure } from '../../lib/failure.ts'
import { type HostMerging, known } from '../merging/merging.ts'
import { getPull, mergePull, type PullsContext } from './pulls.ts'

export function createOwnMerging(context: PullsContext, projectId: string): HostMerging {
  return {
    checks: async () => known([]),
    read: async (number) => {
      const { state, draft, base, branch, headCommit } = await getPull(context, projectId, number)
      return {
        pull: { state, draft, base, head: { branch, commit: headCommit } },
        refusal: known(null),
        checks: known([]),
        changesRequested: known([]),
        openThreads: known(0),
        method: undefined,
      }
    },
    merge: async ({ number, head }, signal) => {
      try {
        await mergePull(context, { projectId, number, head }, signal)
        return { kind: 'merged' }
      } catch (error) {
        // A push whose response is lost is pushed again by `mergePull`, or seen by the next look at the branch.
        if (error instanceof Failure) return { kind: 'refused', reason: error.message }
        throw error
      }
    },
  }
}
