// A check as a report of code quality, in the part of the format of Code Climate that GitLab reads
// (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format). GitLab shows new problems in the merge request.

import { createHash } from 'node:crypto'
import type { Note } from './notes.ts'

const severities = { error: 'critical', warning: 'major', note: 'info' } as const

/** A problem that a page has twice has two fingerprints: GitLab shows one problem for each. */
export function toCodeQuality(notes: readonly Note[]) {
  const seen = new Map<string, number>()
  return notes.map(({ path, line, kind, level, text, target }) => {
    const identity = JSON.stringify([kind, path, target])
    const count = (seen.get(identity) ?? 0) + 1
    seen.set(identity, count)
    return {
      description: text,
      check_name: kind,
      fingerprint: createHash('sha256').update(`${identity} ${count}`).digest('hex'),
      severity: severities[level],
      location: { path, lines: { begin: line } },
    }
  })
}
