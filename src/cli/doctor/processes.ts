// Checks that the processes on a PostgreSQL server have the same settings.

import { describeDiffering, type OtherProcess } from '../../service/processes/processes.ts'
import { type Finding, ok, warning } from './finding.ts'

export function checkProcesses(processes: readonly OtherProcess[]): readonly Finding[] {
  if (processes.length === 0) return []
  const about = 'processes'
  const differing = processes.filter((one) => one.differing.length > 0)
  if (differing.length > 0) {
    const todo = 'Set the same in all processes: jobs and links depend on the process that serves them.'
    return differing.map((one) => warning(about, describeDiffering(one), todo))
  }
  const names = processes.map(({ name, release }) => `${name}, release ${release}`)
  return [ok(about, `${processes.length} at work with the same settings: ${names.join('; ')}`)]
}
