// The second half of the demo: generates an access log of the example site for the last thirty days, imports it, and
// shows the visitors.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLineWriter } from '../../../examples/traffic/log-line.ts'
import { generateTraffic } from '../../../examples/traffic/traffic.ts'
import { finishImports, importFile, type ImportSummary } from '../../analytics/import/import-file.ts'
import { openLogFile } from '../../analytics/import/log-file.ts'
import type { TimeseriesResponse } from '../../analytics/counts/query/exports/timeseries.ts'
import type { VisitorsResponse } from '../../analytics/counts/query/exports/visitors.ts'
import { systemClock } from '../../lib/clock.ts'
import { createImportPort } from '../analytics/import/import-port.ts'
import { addDays } from '../analytics/range.ts'
import { blocksOf } from '../analytics/summary/sparkline.ts'
import { printPerWindow, printTotals, printVisitors } from '../analytics/summary/summary-text.ts'
import { printAndSend, type DemoClient, gray, printHeading } from './client.ts'

const lines = 4_000
const days = 30

type Place = {
  readonly projectId: string
  /** The folder for the log. */
  readonly folder: string
}

export async function showVisitors(client: DemoClient, { projectId, folder }: Place): Promise<void> {
  printHeading(
    client,
    'Count the visitors of thirty days, from a generated access log of people, AI agents and crawlers',
  )
  const now = Date.now()
  const log = await writeLog(join(folder, 'access.log'), now)
  const command = `docent analytics import ${log} --project ${projectId} --format combined`
  client.output.print(gray(client, `  $ ${command}`))
  printImport(client, await importLog(client, projectId, log))

  const today = new Date(now).toISOString().slice(0, 10)
  const since = `dateFrom=${addDays(today, 1 - days)}`
  const path = `/v1/analytics/${projectId}`
  const visitors = await printAndSend<VisitorsResponse>(client, 'GET', `${path}/visitors?${since}&limit=8`)
  const { timeseries } = await printAndSend<TimeseriesResponse>(client, 'GET', `${path}/timeseries?${since}`)
  const { output } = client
  const indented = { ...output, print: (line: string) => output.print(`  ${line}`) }
  printPerWindow(indented, visitors.perWindow)
  printTotals(indented, { totals: visitors.totals, days: timeseries }, blocksOf(client.environment))
  output.print('')
  printVisitors(indented, visitors.visitors)
}

async function writeLog(file: string, until: number): Promise<string> {
  const toLine = createLineWriter('combined')
  const text = Array.from(generateTraffic({ lines, seed: 1, until, days }), (request) => `${toLine(request)}\n`)
  await writeFile(file, text.join(''))
  return file
}

/** Works like `docent analytics import`. */
async function importLog({ api, stop }: DemoClient, projectId: string, log: string): Promise<ImportSummary> {
  const port = createImportPort(api, projectId)
  const context = { port, projectId, clock: systemClock, stop, report: () => undefined }
  const options = { format: 'combined', host: undefined, fromStart: false } as const
  const summary = await importFile({ ...options, file: await openLogFile(log) }, context)
  if (summary.importId !== undefined) await finishImports([summary.importId], context)
  return summary
}

function printImport({ output }: DemoClient, { lines, accepted, rejected }: ImportSummary): void {
  const others = rejected.map(({ reason, count }) => `${count} ${reason}`).join(', ')
  output.print(`  ${lines} lines hold ${accepted} page views; left out: ${others}\n`)
}
