// The order of new problems: those of the agent first, breaking ones before others. Pure.

import type { Finding } from '../api/job/checks.ts'

export function byPersonOrSeverity(a: Finding, b: Finding): number {
  return Number(a.byPerson) - Number(b.byPerson) || Number(a.severity === 'wrong') - Number(b.severity === 'wrong')
}
