// Asks the API of the host of a project or a source whether a branch still has the head that is known, within the requests that an
// account may spend on that.

import type { HeadAnswer, HeadTags, KnownHead } from '../../forge/heads/heads.ts'
import type { Db } from '../../postgres/types.ts'
import { countUses, secondsUntilFree } from '../../requests/rate-limits.ts'
import type { Connections } from '../connections.ts'

export type ConfirmContext = { readonly db: Db; readonly connections: Pick<Connections, 'of'> }

/** `tags`: those of the answer that confirmed this head before. */
export type AskedHead = KnownHead & { readonly tags: HeadTags }

/** Returns undefined if there is no such API or credential, or the account has spent its requests. Throws as `ForgeHost`. */
export async function confirmHead(
  { db, connections }: ConfirmContext,
  ownerId: string,
  { tags, ...known }: AskedHead,
  signal: AbortSignal,
): Promise<HeadAnswer | undefined> {
  const { host } = await connections.of(ownerId, signal)
  if (!host?.heads) return undefined
  const { account, heads } = host
  if (heads.quota === null) return await heads.confirm(known, tags, signal)
  const budget = { name: 'branch reads', quota: heads.quota, windowSeconds: 3_600 } as const
  if ((await secondsUntilFree(db, budget, account)) !== undefined) return undefined
  const before = host.countRequests()
  try {
    return await heads.confirm(known, tags, signal)
  } finally {
    await countUses(db, budget, account, host.countRequests() - before)
  }
}
