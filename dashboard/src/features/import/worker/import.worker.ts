// Reads logs in a thread of its own, with the import of the command line. The log stays here: this thread cannot reach the
// network, and gives the page only page views.

import { type AddressFrom, readAddressFrom } from '../../../../../src/analytics/import/address/address-from.ts'
import { connectionIsKnown, createAddressUse } from '../../../../../src/analytics/import/address/address-use.ts'
import { formatNames, mappedNames, readFormat } from '../../../../../src/analytics/import/formats/formats.ts'
import { describeZone, type FormatSettings } from '../../../../../src/analytics/import/formats/mapped/field-map.ts'
import {
  finishImports,
  importFile,
  type ImportContext,
  type ImportNews,
  type ImportSummary,
} from '../../../../../src/analytics/import/import-file.ts'
import type { LogFile } from '../../../../../src/analytics/import/log-file.ts'
import { lineReasons } from '../../../../../src/analytics/import/wire-page-view.ts'
import { dropReasons } from '../../../../../src/analytics/page-view.ts'
import { Failure } from '../../../../../src/lib/failure.ts'
import type { AddressChoice, FormatChoice, News, Order, ReadLog } from '../protocol.ts'
import { openBrowserLog } from './browser-log.ts'
import { createPagePort } from './page-port.ts'

type Start = Extract<Order, { kind: 'start' }>

const progressMs = 200
const optionNames = {
  format: 'the field “Format”',
  fields: '“Fields”',
  timeZone: '“Time zone”',
  fromStart: '“Read from the start again”',
  addressFrom: '“Address from”',
  host: 'the field “Host”',
} as const
const addressWords = {
  forwarded: '“Address from: X-Forwarded-For”',
  field: '“Address from: A field of the line”',
  trustedHops: '“Trusted hops”',
  connection: '“Address from: The connection: no proxies”',
  format: '“Format”',
} as const
const words: Readonly<Record<string, string>> = { ...dropReasons, ...lineReasons }

const tell = (news: News) => postMessage(news)
const port = createPagePort(tell)
const stop = new AbortController()

const clock: ImportContext['clock'] = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
    }),
}

addEventListener('message', ({ data }: MessageEvent<Order>) => {
  if (data.kind === 'start') void run(data)
  else if (data.kind === 'stop') stop.abort()
  else port.settle(data)
})
tell({ kind: 'formats', names: formatNames })

async function run(start: Start): Promise<void> {
  try {
    const hints = await importAll(start)
    tell({ kind: 'ended', outcome: stop.signal.aborted ? 'stopped' : 'done', hints })
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Failure ? error.message : 'Something went wrong in the browser.' })
  }
}

/** Finished together: until then the imports share their salts, so a visitor in two logs counts once. */
async function importAll({ projectId, files, host, fromStart, address, ...choice }: Start): Promise<readonly string[]> {
  const addressFrom = toAddressFrom(address)
  const addresses = createAddressUse(address.from === 'connection' ? connectionIsKnown : addressFrom, addressWords)
  const rotation = { end: undefined }
  const shared = { port, projectId, clock, stop: stop.signal, optionNames, addresses, rotation }
  const ids = new Set<string>()
  const options = { ...toFormat(choice), host: host === '' ? undefined : host, fromStart, addressFrom }
  for (const one of files) {
    if (stop.signal.aborted) break
    const file = await openBrowserLog(one)
    const summary = await importFile({ ...options, file }, { ...shared, report: reporter(file) })
    if (summary.importId !== undefined) ids.add(summary.importId)
    tell({ kind: 'read', log: toReadLog(file, summary) })
  }
  // A stopped import is not finished: it continues later.
  if (!stop.signal.aborted) await finishImports(ids, { ...shared, report: () => undefined })
  return addresses.hints().map(({ text }) => text)
}

function toAddressFrom({ from, field, hops }: AddressChoice): AddressFrom | undefined {
  if (from === 'unsaid' || from === 'connection') return undefined
  const place = readAddressFrom(from === 'field' ? `field ${field}` : from, Number(hops))
  if (place === undefined) throw new Failure('invalid_input', 'Write the position or the name into “Field”.')
  return place
}

/** Says which zone is used for times without one. */
function toFormat({
  format,
  fields,
  timeZone,
}: FormatChoice): FormatSettings & { readonly format: string | undefined } {
  if (format === '') return { format: undefined }
  const takesFields = mappedNames.some((name) => name === format)
  const settings = {
    fields: takesFields ? fields.trim() || undefined : undefined,
    timeZone: format === 'haproxy' ? timeZone.trim() || undefined : undefined,
  }
  const { zone } = readFormat(format, { ...settings, names: optionNames })
  if (zone !== undefined) tell({ kind: 'note', text: describeZone(format, zone, optionNames.timeZone) })
  return { format, ...settings }
}

function reporter({ name, size = 0, progress }: LogFile): (news: ImportNews) => void {
  const state = { told: Number.NEGATIVE_INFINITY }
  return (news) => {
    switch (news.kind) {
      case 'began':
        return
      case 'restarted':
        return tell({ kind: 'note', text: `${name} was rotated or truncated: it is imported as a new log.` })
      case 'waits':
        return tell({ kind: 'note', text: `${news.failure.message} Again in ${Math.ceil(news.ms / 1_000)} s.` })
      case 'progress': {
        if (performance.now() - state.told < progressMs) return
        state.told = performance.now()
        const { lines, accepted } = news.counts()
        return tell({ kind: 'progress', progress: { name, bytesRead: progress.bytesRead, size, lines, accepted } })
      }
    }
  }
}

function toReadLog(
  { name }: LogFile,
  { format, lines, linesBefore, accepted, rejected, ...rest }: ImportSummary,
): ReadLog {
  const named = rejected.map((one) => ({ ...one, words: words[one.reason] ?? one.reason }))
  const counts = { lines, linesBefore, accepted, rejected: named }
  return { name, format, ...counts, before: rest.from, isDamaged: rest.damage !== undefined }
}
