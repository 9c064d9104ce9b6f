#!/usr/bin/env node
// Prints an access log of the example site: `node examples/traffic/generate.ts --lines 5000 --seed 1 --until
// 2026-11-20 > access.log`

import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { createLineWriter, type LogFormat, logFormats } from './log-line.ts'
import { generateTraffic, type TrafficOptions } from './traffic.ts'

const help = `node examples/traffic/generate.ts [options] > access.log

  --lines COUNT    lines of the log (5000)
  --days COUNT     days of the log, the last one included (30)
  --until DATE     the last day, or a moment such as 2026-11-20T12:00:00Z (now)
  --seed NUMBER    the same number makes the same log (1)
  --format FORMAT  combined, or vhost: with the host before each line (combined)
  --help           this text`

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '5000' },
    days: { type: 'string', default: '30' },
    until: { type: 'string', default: new Date().toISOString() },
    seed: { type: 'string', default: '1' },
    format: { type: 'string', default: 'combined' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) process.stdout.write(`${help}\n`)
else await write(readOptions(), readFormat(values.format))

function readOptions(): TrafficOptions {
  const options = {
    lines: Number(values.lines),
    seed: Number(values.seed),
    days: Number(values.days),
    until: Date.parse(values.until) + (values.until.length === 10 ? 86_400_000 : 0),
  }
  const isRight = options.lines >= 0 && options.days >= 1 && Object.values(options).every(Number.isSafeInteger)
  return isRight ? options : refuse()
}

function readFormat(name: string): LogFormat {
  return logFormats.find((format) => format === name) ?? refuse()
}

function refuse(): never {
  process.stderr.write(`An option is wrong.\n${help}\n`)
  process.exit(2)
}

async function write(options: TrafficOptions, format: LogFormat): Promise<void> {
  const toLine = createLineWriter(format)
  let text = ''
  for (const request of generateTraffic(options)) {
    text += `${toLine(request)}\n`
    if (text.length < 65_536) continue
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
    text = ''
  }
  process.stdout.write(text)
}
