// Page views for tests of the store, and an embedded store that all test files of a process share: chDB opens one folder
// a process. Tests keep apart by their project.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewPageView } from '../../src/analytics/group-commit.ts'
import { type ClickHouse, openClickHouse } from '../../src/clickhouse/open.ts'

const shared: { store?: Promise<ClickHouse> } = {}

/** It ends with the process: nobody closes it. */
export function sharedStore(): Promise<ClickHouse> {
  return (shared.store ??= openSharedStore())
}

function openSharedStore(): Promise<ClickHouse> {
  const directory = mkdtempSync(join(tmpdir(), 'docent-test-store-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  return openClickHouse({ kind: 'embedded', directory })
}

const count = { made: 0n }

export function pageView(change: Partial<NewPageView> = {}): NewPageView {
  count.made += 1n
  return {
    projectId: 'prj_a',
    siteId: '',
    viewId: count.made,
    isNamed: false,
    time: Date.UTC(2026, 10, 20, 9),
    path: '/a',
    representation: 'html',
    status: 200,
    source: 'server',
    visitor: 1n,
    category: 'browser',
    agent: '',
    operator: '',
    verified: 'none',
    rule: 'browser',
    listDate: '2026-11-01',
    referrer: '',
    userAgent: 'Mozilla/5.0',
    signals: {},
    ...change,
  }
}
