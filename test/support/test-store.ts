// Stores of page views for tests: embedded, or behind a front that behaves like a ClickHouse server. Both must give the
// same results. All test files of the process share them, and each test uses its own projects.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ClickHouse, openClickHouse } from '../../src/clickhouse/open.ts'
import { frontDatabase } from './clickhouse-front.ts'

export const storeKinds = ['embedded', 'server'] as const
export type StoreKind = (typeof storeKinds)[number]

const preferred: StoreKind = process.env['TEST_CLICKHOUSE'] === 'http' ? 'server' : 'embedded'

const shared: { [Kind in StoreKind]?: Promise<ClickHouse> } = {}

/** Shared stores are never closed; they end with the process. A process can open only one chDB folder. */
export function sharedStore(kind = preferred): Promise<ClickHouse> {
  return (shared[kind] ??= kind === 'embedded' ? openEmbedded() : openServer())
}

function openEmbedded(): Promise<ClickHouse> {
  const directory = mkdtempSync(join(tmpdir(), 'docent-test-store-'))
  // An earlier release or a person may have created the folder with this mode. Opening it must restrict access.
  chmodSync(directory, 0o755)
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return openClickHouse({ kind: 'embedded', directory })
}

async function openServer(): Promise<ClickHouse> {
  return openClickHouse({ kind: 'server', url: await frontDatabase() })
}
