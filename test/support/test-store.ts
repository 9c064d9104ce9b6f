// Stores of page views for tests: embedded, or behind a front that is to a client what a ClickHouse server is. Both must
// answer the same. Each is shared by all test files of the process; tests keep apart by their projects.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouse, openClickHouse } from '../../src/clickhouse/open.ts'
import { frontDatabase } from './clickhouse-front.ts'

export const storeKinds = ['embedded', 'server'] as const
export type StoreKind = (typeof storeKinds)[number]

const preferred: StoreKind = process.env['TEST_CLICKHOUSE'] === 'http' ? 'server' : 'embedded'

const shared: { [Kind in StoreKind]?: Promise<ClickHouse> } = {}

/** They end with the process: nobody closes them. chDB opens one folder a process. */
export function sharedStore(kind = preferred): Promise<ClickHouse> {
  return (shared[kind] ??= kind === 'embedded' ? openEmbedded() : openServer())
}

function openEmbedded(): Promise<ClickHouse> {
  const directory = mkdtempSync(join(tmpdir(), 'docent-test-store-'))
  // As an earlier release or a person may have made it: opening must close it to others.
  chmodSync(directory, 0o755)
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return openClickHouse({ kind: 'embedded', directory })
}

async function openServer(): Promise<ClickHouse> {
  return openClickHouse({ kind: 'server', url: await frontDatabase() })
}
