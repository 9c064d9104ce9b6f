#!/usr/bin/env node
// The command line. The one file that meets the process: arguments, environment, streams, signals and exit codes.

import { describeEnding } from './cli/exit.ts'
import { createProgram } from './cli/program.ts'
import { readEnvironment } from './config.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)))
}

// Whoever reads our output may stop early (`docent … | head`): that is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const json = process.argv.includes('--json')
const program = createProgram({
  environment: readEnvironment(),
  nodeVersion: process.versions.node,
  json,
  stop: stop.signal,
  output: {
    print: (line) => process.stdout.write(`${line}\n`),
    warn: (line) => process.stderr.write(`${line}\n`),
    colours: process.stdout.isTTY && !process.env['NO_COLOR'],
    terminal: process.stderr.isTTY
      ? { write: (text) => process.stderr.write(text), columns: () => process.stderr.columns }
      : undefined,
  },
})

try {
  await program.parseAsync(process.argv)
} catch (error) {
  const { exitCode, text } = describeEnding(error, json)
  if (text !== undefined) process.stderr.write(`${text}\n`)
  process.exitCode = exitCode
}
