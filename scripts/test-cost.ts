// A reporter for test/run.ts: lists the cost of each test file, the most expensive first, in seconds of wall time and in
// CPU seconds of this process and its ended children. Use: node --test-reporter=./scripts/test-cost.ts test/run.ts FILES

import { readFileSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'

type Cost = { seconds: number; cpu: number; failed: string[] }

// oxlint-disable-next-line import/no-default-export -- Node looks for a reporter there
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const costs = new Map<string, Cost>()
  let seen = readCpu()
  let since = performance.now()
  for await (const { type, data } of events) {
    if ((type !== 'test:pass' && type !== 'test:fail') || data.nesting > 0) continue
    const file = data.name
    const cost = costs.get(file) ?? { seconds: 0, cpu: 0, failed: [] }
    costs.set(file, cost)
    const cpu = readCpu()
    const now = performance.now()
    cost.cpu += cpu - seen
    cost.seconds += (now - since) / 1_000
    ;[seen, since] = [cpu, now]
    if (type === 'test:fail')
      cost.failed.push(`${data.name}\n${String(data.details.error.cause ?? data.details.error)}`)
  }
  const rows = [...costs].toSorted(([, a], [, b]) => b.cpu - a.cpu)
  for (const [file, { seconds, cpu }] of rows)
    yield `${cpu.toFixed(1).padStart(7)} ${seconds.toFixed(1).padStart(7)}  ${file}\n`
  for (const [file, { failed }] of rows) for (const one of failed) yield `✖ ${file}: ${one}\n`
}

/** CPU seconds, user and system, of the process and its children (proc(5): fields 14 to 17, in ticks of 10 ms). */
function readCpu(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0)
}
