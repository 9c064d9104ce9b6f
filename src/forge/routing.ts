// The forge of every project: Docent's own, or the host that the project's credential connects it with. A project may
// get, change and lose its credential while its jobs have pull requests.

import type { Forge } from './forge.ts'
import type { HostOf } from './hosted.ts'

export type Forges = { readonly own: Forge; readonly hosted: Forge; readonly hostOf: HostOf }

export function createForge({ own, hosted, hostOf }: Forges): Forge {
  const at = (forge: string) => (forge === 'docent' ? own : hosted)
  return {
    get: (projectId, pull, signal) => at(pull.forge).get(projectId, pull, signal),
    amend: (projectId, pull, part, signal) => at(pull.forge).amend(projectId, pull, part, signal),
    find: async (projectId, place, signal) =>
      ((await hostOf(projectId, signal)) ? hosted : own).find(projectId, place, signal),
    close: (projectId, pull, claim, signal) => at(pull.forge).close(projectId, pull, claim, signal),
    propose: async (projectId, proposal, signal) => {
      const host = await hostOf(projectId, signal)
      return (host ? hosted : own).propose(projectId, proposal, signal)
    },
  }
}
