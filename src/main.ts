// Starts the command line, for `bin/docent.cjs`. Only this file reads the process: arguments, environment, streams, signals and exit codes.

import { browserFor } from './cli/browser.ts'
import { describeEnding } from './cli/exit.ts'
import { createProgram } from './cli/program.ts'
import { readEnvironment } from './config/environment.ts'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => stop.abort(new Error(`stopped by ${signal}`)))
}

// A reader of the output may stop early (`docent … | head`): that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

async function readHidden(what: string, isLine: boolean): Promise<string> {
  const end = isLine ? 'press Enter' : 'press Enter and Ctrl-D'
  process.stderr.write(`Paste the ${what} and ${end}. It is not shown.\n`)
  return (await import('./cli/hidden-input.ts')).readHidden({ terminal: process.stdin, isLine, stop: stop.signal })
}

const json = process.argv.includes('--json')
const environment = readEnvironment()
const program = createProgram({
  environment,
  nodeVersion: process.versions.node,
  json,
  stop: stop.signal,
  readInput: async () => {
    if (process.stdin.isTTY) process.stderr.write('Type or paste the text, then press Enter and Ctrl-D.\n')
    return (await import('node:stream/consumers')).text(process.stdin)
  },
  // Not a file stream of the descriptor, which fails when a pipe is empty for a while.
  readBytes: () => process.stdin,
  readHidden: process.stdin.isTTY ? readHidden : undefined,
  openInBrowser: process.stdout.isTTY ? browserFor(process.platform, environment) : undefined,
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
