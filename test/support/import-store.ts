// Imports without a service: an in-memory implementation of the import port, and logs to import.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AddressUse, createAddressUse } from '../../src/analytics/import/address/address-use.ts'
import type { AutomatedDay } from '../../src/analytics/import/address/part-use.ts'
import { decodeColumns } from '../../src/analytics/import/columns/read-columns.ts'
import {
  finishImports,
  importFile,
  type ImportNews,
  type ImportOptions,
} from '../../src/analytics/import/import-file.ts'
import { fromStream, openLogFile } from '../../src/analytics/import/log-file.ts'
import type { LineFacts } from '../../src/analytics/import/ids/line-facts.ts'
import type { Rotation } from '../../src/analytics/import/ids/rotation.ts'
import type { ImportPort } from '../../src/analytics/import/port.ts'
import type { WirePageView } from '../../src/analytics/import/wire-page-view.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { Failure } from '../../src/lib/failure.ts'

/** Does in memory what the service does with imports. `fail` may throw before (`early`) or after (`late`) a batch is stored. */
export function createImportStore(
  fail: (moment: 'early' | 'late', calls: number) => void = () => undefined,
  facts: Partial<LineFacts> = {},
) {
  const imports: { id: string; fingerprint: string; position: number; isOpen: boolean }[] = []
  const views = new Map<string, WirePageView>()
  const automated: AutomatedDay[] = []
  const sent = { calls: 0, views: 0, underway: 0, most: 0, positions: [] as number[] }
  const find = (id: string) => {
    const found = imports.find((one) => one.id === id && one.isOpen)
    if (!found) throw new Failure('not_found', 'There is no such import.')
    return found
  }
  const port: ImportPort = {
    begin: async ({ fingerprint, host }) => {
      const found = imports.find((one) => one.isOpen && one.fingerprint === fingerprint)
      const one = found ?? { id: `imp_${imports.length}`, fingerprint, position: 0, isOpen: true }
      if (!found) imports.push(one)
      return { ...one, lines: { host, needsHost: false, idScope: '', olderDays: null, timeZone: 'UTC', ...facts } }
    },
    send: async (importId, position, body) => {
      sent.calls += 1
      const { calls } = sent
      sent.most = Math.max(sent.most, (sent.underway += 1))
      try {
        const one = find(importId)
        await new Promise((resolve) => setImmediate(resolve))
        fail('early', calls)
        const items = decodeColumns(JSON.parse(body), 4 * 1_048_576) as readonly (WirePageView & { lineId?: bigint })[]
        assert.ok(Buffer.byteLength(body) <= 4 * 1_048_576)
        sent.views += items.length
        for (const item of items) {
          const id = item.id ?? String(item.lineId)
          if (![id, ...(item.sameAs ?? [])].some((one) => views.has(one))) views.set(id, item)
        }
        one.position = Math.max(one.position, position)
        sent.positions.push(position)
        fail('late', calls)
        const rejected = items.flatMap(({ path }, index) => (path === '/refused' ? [{ index, reason: 'too_old' }] : []))
        return { accepted: items.length - rejected.length, rejected }
      } finally {
        sent.underway -= 1
      }
    },
    finish: async (importId, days) => {
      find(importId).isOpen = false
      automated.push(...days)
    },
  }
  return { port, views, sent, imports, automated }
}

export const slept: number[] = []
const clock: Clock = { now: () => new Date(0), sleep: async (ms) => void slept.push(ms) }
const never = new AbortController().signal

type Run = Partial<Omit<ImportOptions, 'file'>> & {
  readonly stop?: AbortSignal
  readonly report?: (news: ImportNews) => void
  readonly addresses?: AddressUse
  readonly rotation?: Rotation
}

export async function run(
  path: string | Uint8Array,
  port: ImportPort,
  {
    stop = never,
    report = () => undefined,
    addresses = createAddressUse(undefined),
    rotation = { end: undefined },
    ...options
  }: Run = {},
) {
  const file = typeof path === 'string' ? await openLogFile(path) : fromStream(oneChunk(path))
  const news: ImportNews[] = []
  const shared = { port, projectId: 'prj_a', clock, stop, addresses, rotation }
  const context = { ...shared, report: (one: ImportNews) => (news.push(one), report(one)) }
  const summary = await importFile({ file, format: undefined, host: undefined, fromStart: false, ...options }, context)
  const finish = () => finishImports([summary.importId ?? ''], context)
  return { summary, news, finish }
}

async function* oneChunk(bytes: Uint8Array) {
  if (bytes.length > 0) yield bytes
}

export function line(path: string, second = 0): string {
  return `192.0.2.1 - - [21/Nov/2026:10:00:${String(second % 60).padStart(2, '0')} +0000] "GET ${path} HTTP/1.1" 200 1 "-" "x"\n`
}

export async function writeLog(
  folder: string,
  content: string | Uint8Array,
  name = `log-${randomUUID()}`,
): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

export const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => line(`/page-${from + n}`, n)).join('')
