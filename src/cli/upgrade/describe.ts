// The result of a rehearsal as text.

import { amount } from '../../jobs/run/describe/lists.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Rehearsal } from './rehearse.ts'

const mostShown = 20

/** The last line says how it went, in how many seconds, and how to go back. */
export function describe(rehearsal: Rehearsal): string {
  const { from, to, migrations, startSeconds, windows, differences } = rehearsal
  const counted = Object.values(windows).reduce((sum, one) => sum + one, 0)
  const changes = [
    ...describeMigrations('database', migrations.database),
    ...describeMigrations('page views', migrations.pageViews),
  ]
  return [
    `${from} → ${to}: ${changes.length === 0 ? 'nothing to migrate' : changes.join(', ')}. The copy opened in ${startSeconds} s.`,
    `${amount(counted, 'window')} counted again from page views.`,
    describeCompared(rehearsal),
    ...differences.slice(0, mostShown).map(toLine),
    ...(differences.length > mostShown ? [`… and ${differences.length - mostShown} more (--json lists all)`] : []),
    describeEnd(rehearsal),
  ].join('\n')
}

function describeMigrations(what: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${amount(names.length, 'migration')} of the ${what}`]
}

function describeCompared({ compared, moved }: Rehearsal): string {
  const still = `${amount(compared, 'figure')} of jobs, pull requests, page views and visitors compared with the running service`
  return moved === 0 ? `${still}.` : `${still}; ${amount(moved, 'figure')} changed meanwhile.`
}

function toLine({ about, running, copy }: Rehearsal['differences'][number]): string {
  return `  ${plainText(about)}: ${running ?? 'nothing'} in the service, ${copy ?? 'nothing'} in the copy`
}

function describeEnd({ differences, seconds, backup, from }: Rehearsal): string {
  const back =
    backup === null
      ? 'a backup of the moment before the upgrade (docent backup)'
      : `${plainText(backup)}, or a newer backup`
  const way = `install ${from} again, and docent restore into an empty data directory: ${back}`
  return `${amount(differences.length, 'difference')}, ${seconds} s, way back: ${way}.`
}
