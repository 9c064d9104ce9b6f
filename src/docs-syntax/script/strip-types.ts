// Blanks out the types of a TypeScript text in a process of its own. Text that is nested deeper than the parser's stack
// (measured: 1,000 arrows or blocks) ends in a WebAssembly trap, which is a signal of the process. Where chDB is loaded, its
// handler takes the signal: the thread sleeps for five minutes, and then the process dies. The caller waits, up to five
// seconds, or is called back.

import { execFile, spawnSync } from 'node:child_process'
import { execPath } from 'node:process'

const deadlineMs = 5_000

/** The parser is marked as experimental: its warning would be printed for each text. */
const code = `
process.emitWarning = () => {}
const text = require('node:fs').readFileSync(0, 'utf8')
process.stdout.write(require('node:module').stripTypeScriptTypes(text))
`
const args = ['--max-old-space-size=128', '--eval', code]
const options = { cwd: '/', env: {}, encoding: 'utf8', killSignal: 'SIGKILL' } as const

/** Every position stays. Undefined when the text is not understood. Never throws. */
export function stripTypes(text: string): string | undefined {
  const { status, stdout } = spawnSync(execPath, args, { ...options, input: text, timeout: deadlineMs })
  return status === 0 ? stdout : undefined
}

/** Does the same without blocking the thread of the caller. Undefined after `waitMs` too. */
export async function stripTypesLater(text: string, waitMs: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const { stdin } = execFile(execPath, args, { ...options, timeout: waitMs }, (error, stdout) =>
    resolve(error ? undefined : stdout),
  )
  // A process that ended reads nothing.
  stdin?.on('error', () => undefined)
  stdin?.end(text)
  return promise
}
