// Runs commands of `docent`: in this process, which takes milliseconds, or in a separate process, for tests of signals,
// exit codes, streams, and a second owner of a data directory.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { CommandContext } from '../../src/cli/context.ts'
import { describeEnding } from '../../src/cli/exit.ts'
import { createProgram } from '../../src/cli/program.ts'
import type { Environment } from '../../src/config/environment.ts'

const launcher = fileURLToPath(new URL('../../bin/docent.cjs', import.meta.url))

export type CommandResult = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** Runs a command as `src/main.ts` does, but in this process. Calls `printed` with every line of standard output. */
export async function runCommand(
  args: readonly string[],
  environment: Environment,
  { stop = new AbortController().signal, printed, readInput, openInBrowser }: RunOptions = {},
): Promise<CommandResult> {
  const stdout: string[] = []
  const stderr: string[] = []
  const json = args.includes('--json')
  const print = (line: string) => {
    stdout.push(`${line}\n`)
    printed?.(line)
  }
  const output = { print, warn: (line: string) => void stderr.push(`${line}\n`), colours: false }
  const own = { ...(readInput ? { readInput } : {}), openInBrowser }
  const program = createProgram({ environment, nodeVersion: process.versions.node, json, stop, output, ...own })
  const ending = await program.parseAsync(['node', 'docent', ...args]).then(
    () => ({ exitCode: 0, text: undefined }),
    (error: unknown) => describeEnding(error, json),
  )
  if (ending.text !== undefined) stderr.push(`${ending.text}\n`)
  return { code: ending.exitCode, stdout: stdout.join(''), stderr: stderr.join('') }
}

type RunOptions = Pick<Partial<CommandContext>, 'stop' | 'readInput' | 'openInBrowser'> & {
  readonly printed?: (line: string) => void
}

export type ServingCommand = { readonly line: string; readonly stop: () => Promise<CommandResult> }

/** Starts a command that runs until it is stopped. Resolves with its first line; throws if it ends before that. */
export async function startCommand(args: readonly string[], environment: Environment): Promise<ServingCommand> {
  const stopping = new AbortController()
  const first = Promise.withResolvers<string>()
  const ended = runCommand(args, environment, { stop: stopping.signal, printed: first.resolve })
  const endedEarly = ended.then(({ code, stderr }) => {
    throw new Error(`docent ${args.join(' ')} ended with ${code}: ${stderr}`)
  })
  const line = await Promise.race([first.promise, endedEarly])
  endedEarly.catch(() => undefined)
  const stop = () => {
    stopping.abort()
    return ended
  }
  return { line, stop }
}

/** Starts a command in a separate process, in the folder `cwd`. */
export function spawnCommand(
  args: readonly string[],
  environment: Environment,
  cwd: string,
): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env['PATH'], ...environment }
  return spawn(process.execPath, [launcher, ...args], { env, cwd })
}

/** Like `spawnCommand`, but loads a module first. */
export function spawnPreloaded(
  preloaded: string,
  args: readonly string[],
  environment: Environment,
  cwd: string,
): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env['PATH'], ...environment }
  return spawn(process.execPath, ['--import', preloaded, launcher, ...args], { env, cwd })
}

/** Waits until a process ends. Writes `input` to its standard input. */
export async function resultOf(child: ChildProcessWithoutNullStreams, input = ''): Promise<CommandResult> {
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, stdout, stderr }
}
