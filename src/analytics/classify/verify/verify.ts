// Verifies whether an address belongs to the operator that the client claims to be, by the lists that operators
// publish. Lists go stale, so `failed` means only that the claim is not proved: the page view still counts by its claim
// unless the project excludes it. No client is classified by its address.

import { parseNetwork } from '../../../lib/network.ts'
import type { Label, Verification } from '../../page-view.ts'
import { createNetworkSet, type NetworkSet } from './intervals.ts'
import { type RangeSource, rangeSources } from './range-sources.ts'
import { type Snapshot, toNetworks } from './snapshot.ts'

export type Verify = (label: Pick<Label, 'agent' | 'operator'>, address: string | undefined) => Verification

/** Creates the check. It never throws: an invalid address is in no list. Snapshots of unknown sources are ignored. */
export function createVerify(snapshots: readonly Snapshot[], sources: readonly RangeSource[] = rangeSources): Verify {
  const sets = new Map<string, NetworkSet>()
  for (const { agents, operator, id } of sources) {
    const snapshot = snapshots.find((one) => one.id === id)
    if (!snapshot) continue
    const set = createNetworkSet(toNetworks(snapshot))
    for (const agent of agents) sets.set(toKey({ agent, operator }), set)
  }
  return (label, address) => {
    if (label.operator === '') return 'none'
    const set = sets.get(toKey(label))
    const network = address === undefined || !set ? undefined : parseNetwork(address)
    if (!set || !network || network.bits !== (network.family === 4 ? 32 : 128)) return 'none'
    return set.has(network) ? 'address' : 'failed'
  }
}

/** Another list may have an agent of the same name. Without the operator, a client claims nothing. */
function toKey({ agent, operator }: Pick<Label, 'agent' | 'operator'>): string {
  return `${operator}\n${agent}`
}
