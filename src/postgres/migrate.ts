// Migrates the schema. There is no way back, and several processes may call this at the same time.
// A migration only adds, so that processes of the previous release continue to work: `scripts/check-migrations.ts`.

import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { Failure } from '../lib/failure.ts'
import { up as jobs } from './migrations/0001-jobs.ts'
import { up as wholeInterface } from './migrations/0002-whole-interface.ts'
import { up as analytics } from './migrations/0003-analytics.ts'
import { up as archivedBy } from './migrations/0004-archived-by.ts'
import { up as trustedTime } from './migrations/0005-trusted-time.ts'
import { up as forges } from './migrations/0006-forges.ts'
import { up as pullChecks } from './migrations/0007-pull-checks.ts'
import { up as people } from './migrations/0008-people.ts'
import { up as signInLinks } from './migrations/0009-sign-in-links.ts'
import { up as jobOrigin } from './migrations/0010-job-origin.ts'
import { up as pullComments } from './migrations/0011-pull-comments.ts'
import { up as newestJobs } from './migrations/0013-newest-jobs.ts'
import { up as coAuthors } from './migrations/0014-co-authors.ts'
import { up as checks } from './migrations/0015-checks.ts'
import { up as pullFacts } from './migrations/0016-pull-facts.ts'
import { up as ends } from './migrations/0017-ends.ts'
import { up as transcripts } from './migrations/0018-transcripts.ts'
import { up as budgets } from './migrations/0019-budgets.ts'
import { up as modelCalls } from './migrations/0020-model-calls.ts'
import { up as options } from './migrations/0020-options.ts'
import { up as saltWindows } from './migrations/0021-salt-windows.ts'
import { up as lineHost } from './migrations/0022-line-host.ts'
import { up as sealLease } from './migrations/0023-seal-lease.ts'
import { up as processes } from './migrations/0024-processes.ts'
import { up as automatedDays } from './migrations/0025-automated-days.ts'
import { up as partialChecks } from './migrations/0026-partial-checks.ts'
import { up as bitbucket } from './migrations/0027-bitbucket.ts'
import { up as forks } from './migrations/0028-forks.ts'
import { up as commits } from './migrations/0029-commits.ts'
import { up as branches } from './migrations/0030-branches.ts'
import { up as privateCoAuthors } from './migrations/0031-private-co-authors.ts'
import { up as signingKeys } from './migrations/0032-signing-keys.ts'
import { up as pullBase } from './migrations/0033-pull-base.ts'
import { up as pullActivity } from './migrations/0034-pull-activity.ts'
import { up as learnedRules } from './migrations/0035-learned-rules.ts'
import { up as sources } from './migrations/0036-sources.ts'
import { up as jobSources } from './migrations/0037-job-sources.ts'
import { up as pages } from './migrations/0038-pages.ts'
import { up as automations } from './migrations/0039-automations.ts'
import { up as automationEvents } from './migrations/0040-automation-events.ts'
import { up as automationMessages } from './migrations/0041-automation-messages.ts'
import { up as positions } from './migrations/0047-positions.ts'
import { up as merges } from './migrations/0048-merges.ts'
import { up as notifications } from './migrations/0048-notifications.ts'
import { up as comments } from './migrations/0049-comments.ts'
import { up as dueDeliveries } from './migrations/0049-due-deliveries.ts'
import { up as grouping } from './migrations/0049-grouping.ts'
import { up as automationKinds } from './migrations/0050-automation-kinds.ts'
import { up as readings } from './migrations/0051-readings.ts'
import { up as releaseStatuses } from './migrations/0052-release-statuses.ts'
import { up as runOutcomes } from './migrations/0054-run-outcomes.ts'
import { up as forgeChecks } from './migrations/0055-forge-checks.ts'
import { up as forgeWebhooks } from './migrations/0056-forge-webhooks.ts'
import { up as hostHeads } from './migrations/0058-host-heads.ts'
import { up as outsidersCommit } from './migrations/0058-outsiders-commit.ts'
import { up as histories } from './migrations/0061-histories.ts'
import { up as segments } from './migrations/0062-segments.ts'
import { up as dimensionsOff } from './migrations/0063-dimensions-off.ts'
import { up as privacy } from './migrations/0064-privacy.ts'
import { up as ledgerPlans } from './migrations/0065-ledger-plans.ts'
import { up as ledger } from './migrations/0053-ledger.ts'
import type { Db } from './types.ts'

export type Migrations = Readonly<Record<string, Migration>>

export const migrations: Migrations = {
  '0001-jobs': { up: jobs },
  '0002-whole-interface': { up: wholeInterface },
  '0003-analytics': { up: analytics },
  '0004-archived-by': { up: archivedBy },
  '0005-trusted-time': { up: trustedTime },
  '0006-forges': { up: forges },
  '0007-pull-checks': { up: pullChecks },
  '0008-people': { up: people },
  '0009-sign-in-links': { up: signInLinks },
  '0010-job-origin': { up: jobOrigin },
  '0011-pull-comments': { up: pullComments },
  '0013-newest-jobs': { up: newestJobs },
  '0014-co-authors': { up: coAuthors },
  '0015-checks': { up: checks },
  '0016-pull-facts': { up: pullFacts },
  '0017-ends': { up: ends },
  '0018-transcripts': { up: transcripts },
  '0019-budgets': { up: budgets },
  '0020-model-calls': { up: modelCalls },
  '0020-options': { up: options },
  '0021-salt-windows': { up: saltWindows },
  '0022-line-host': { up: lineHost },
  '0023-seal-lease': { up: sealLease },
  '0024-processes': { up: processes },
  '0025-automated-days': { up: automatedDays },
  '0026-partial-checks': { up: partialChecks },
  '0027-bitbucket': { up: bitbucket },
  '0028-forks': { up: forks },
  '0029-commits': { up: commits },
  '0030-branches': { up: branches },
  '0031-private-co-authors': { up: privateCoAuthors },
  '0032-signing-keys': { up: signingKeys },
  '0033-pull-base': { up: pullBase },
  '0034-pull-activity': { up: pullActivity },
  '0035-learned-rules': { up: learnedRules },
  '0036-sources': { up: sources },
  '0037-job-sources': { up: jobSources },
  '0038-pages': { up: pages },
  '0039-automations': { up: automations },
  '0040-automation-events': { up: automationEvents },
  '0041-automation-messages': { up: automationMessages },
  '0047-positions': { up: positions },
  '0048-merges': { up: merges },
  '0048-notifications': { up: notifications },
  '0049-comments': { up: comments },
  '0049-due-deliveries': { up: dueDeliveries },
  '0049-grouping': { up: grouping },
  '0050-automation-kinds': { up: automationKinds },
  '0051-readings': { up: readings },
  '0052-release-statuses': { up: releaseStatuses },
  '0054-run-outcomes': { up: runOutcomes },
  '0055-forge-checks': { up: forgeChecks },
  '0056-forge-webhooks': { up: forgeWebhooks },
  '0058-host-heads': { up: hostHeads },
  '0058-outsiders-commit': { up: outsidersCommit },
  '0062-segments': { up: segments },
  '0063-dimensions-off': { up: dimensionsOff },
  '0064-privacy': { up: privacy },
  '0053-ledger': { up: ledger },
  '0061-histories': { up: histories },
  '0065-ledger-plans': { up: ledgerPlans },
}

/**
 * Returns the names of the migrations that ran. Throws when one fails, which leaves the database as it was before, and
 * `schema_newer` when a later release migrated the database.
 */
export async function migrate(db: Db, known: Migrations = migrations): Promise<readonly string[]> {
  await refuseNewer(db, known)
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...known }) } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error instanceof Error ? error : new Error('a migration failed', { cause: error })
  return (results ?? []).map((result) => result.migrationName)
}

async function refuseNewer(db: Db, known: Migrations): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  const message = `The database was migrated by a newer release (${unknown.join(', ')}). Start that release or a later one.`
  throw new Failure('schema_newer', message)
}

/** The names of the applied migrations in order; empty for a new database. */
export async function appliedMigrations(db: Db): Promise<readonly string[]> {
  const table = await sql<{ exists: boolean }>`/* migrations.exists */
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!table.rows[0]?.exists) return []
  const { rows } = await sql<{ name: string }>`/* migrations.applied */
    select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}
