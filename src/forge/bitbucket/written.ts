// Remembers what the service wrote into the pull requests of a branch, for the adapter whose host has no place for it. A
// digest is only added: one of a description that never arrived does no harm. Deleted with the job.

import type { Db } from '../../postgres/types.ts'
import type { Written } from './plain-body.ts'

export interface WrittenTexts {
  /** Undefined: the service has opened no pull request of the branch. */
  read(branch: string): Promise<Written | undefined>
  add(branch: string, written: Written): Promise<void>
}

/** The pull requests of checks: more than are open at once. */
const mostChecks = 100

/** A branch belongs to one job: its name contains the id. */
export function createWrittenTexts(db: Db): WrittenTexts {
  const ofChecks = new Map<string, Written>()
  return {
    read: async (branch) => {
      const query = db.selectFrom('written_texts').select(['job_id', 'digest']).where('branch', '=', branch)
      const rows = await query.execute()
      const [first] = rows
      return first ? { jobId: first.job_id, digests: new Set(rows.map(({ digest }) => digest)) } : ofChecks.get(branch)
    },
    add: async (branch, { jobId, digests }) => {
      const rows = [...digests].map((digest) => ({ branch, digest, job_id: jobId, created_at: new Date() }))
      if (rows.length === 0) return
      const job = await db.selectFrom('jobs').select('id').where('id', '=', jobId).executeTakeFirst()
      // The pull request of a check belongs to no job, and is closed at once.
      if (!job) {
        const [oldest] = ofChecks.keys()
        if (oldest !== undefined && ofChecks.size >= mostChecks) ofChecks.delete(oldest)
        ofChecks.set(branch, { jobId, digests })
        return
      }
      await db
        .insertInto('written_texts')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },
  }
}
