// Starts git; no other code does. Arguments are an array, never a shell line; the environment and the settings come
// from `env.ts`. Every process has a deadline, a limit on its output, and a process group that ends as a whole. Knows
// nothing of repositories: callers pass a git directory and arguments.

import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Failure } from '../../lib/failure.ts'
import { type ScopedCredential, cleanOutput, helperConfig, redactCredential, sendCredential } from './credential.ts'
import { headerTrace, readResponses, type SeenResponse } from './response-headers.ts'
import { type Protocol, hardenedConfig, hardenedEnvironment } from './env.ts'

export type GitCall = {
  /** The bare repository. Commands such as `version`, `init` and `ls-remote` need no repository. */
  readonly gitDir?: string
  readonly args: readonly string[]
  readonly input?: string | Uint8Array
  /** Additional `name=value` settings; they come last and therefore win. */
  readonly config?: readonly string[]
  /** Sent through a file descriptor, never in an argument or a variable; `stderr` does not show it. */
  readonly credential?: ScopedCredential | undefined
  /** The index that the command reads or writes: a bare repository has no index of its own. */
  readonly indexFile?: string | undefined
  /** The ssh command for addresses over ssh. It contains no secret. */
  readonly ssh?: string
  /** The only transport that the call may use. Default: no transport. */
  readonly protocol?: Protocol
  /** The limit on standard output; more output ends the process. Default: 64 MiB. */
  readonly maxBytes?: number
  readonly timeoutMs?: number
  /** The result has the last response over HTTP, and a push that has its response ends soon. */
  readonly readsResponses?: boolean
  /** Receives the output in place of `stdout`. Returning false ends the process. */
  readonly onData?: (chunk: Buffer) => boolean
}

export type GitResult = {
  /**
   * `full`: over `maxBytes`. `enough`: `onData` returned false. `signal`: it crashed or was killed. `half`: it waited for the rest
   * of a response that was over.
   */
  readonly ended: 'exit' | 'timeout' | 'full' | 'enough' | 'signal' | 'half'
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  /** Only if `readsResponses`. */
  readonly response?: SeenResponse
}

export function isDone({ ended, code }: GitResult): boolean {
  return ended === 'exit' && code === 0
}

export interface Runner {
  /** Never throws for an exit code. Throws the signal's reason, and `unavailable` when git cannot be started. */
  run(call: GitCall, signal?: AbortSignal): Promise<GitResult>
  /** Starts a long-lived process. The caller ends it with `endProcess`; `close` ends it too. */
  start(call: Pick<GitCall, 'gitDir' | 'args'>): ChildProcessWithoutNullStreams
  /** Ends all processes and waits for them. No process can be started afterwards. */
  close(): Promise<void>
}

type RunnerOptions = { readonly home: string; readonly path: string; readonly timeoutMs: number }

const defaultMaxBytes = 64 * 1024 * 1024
const maxErrorBytes = 64 * 1024
/** Git exits some milliseconds after the response to a push. */
const afterPushMs = 5_000
/** Time between SIGTERM, on which git removes its temporary files, and SIGKILL. */
const graceMs = 2000

export function createRunner(options: RunnerOptions): Runner {
  const children = new Set<ChildProcessWithoutNullStreams>()
  const state = { isClosed: false }

  function start(call: StartedCall): ChildProcessWithoutNullStreams {
    if (state.isClosed) throw new Failure('unavailable', 'The git engine is closed.')
    const settings = call.credential === undefined ? [] : helperConfig(call.credential)
    const child = spawn('git', gitArguments(call, settings), {
      cwd: options.home,
      env: {
        ...hardenedEnvironment(options.home, options.path, call.protocol),
        ...(call.ssh === undefined ? {} : { GIT_SSH_COMMAND: call.ssh, GIT_SSH_VARIANT: 'ssh' }),
        ...(call.indexFile === undefined ? {} : { GIT_INDEX_FILE: call.indexFile }),
        ...(call.readsResponses === true ? headerTrace : {}),
      },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', pipeIf(call.credential !== undefined), pipeIf(call.readsResponses === true)],
    })
    checkPipes(child)
    if (call.credential !== undefined) sendCredential(child, call.credential)
    children.add(child)
    child.once('error', () => children.delete(child))
    child.once('close', () => children.delete(child))
    return child
  }

  return {
    start,
    run: async (call, signal) => {
      signal?.throwIfAborted()
      return await collect(start(call), { timeoutMs: options.timeoutMs, ...call }, signal)
    },
    close: async () => {
      state.isClosed = true
      await Promise.all([...children].map((child) => endProcess(child)))
    },
  }
}

/** Ends the process and everything that it started, and waits for it. May be called twice. */
export async function endProcess(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'close')
  terminate(child)
  await gone
}

type StartedCall = Pick<
  GitCall,
  'gitDir' | 'args' | 'config' | 'credential' | 'protocol' | 'indexFile' | 'ssh' | 'readsResponses'
>

function pipeIf(isWanted: boolean): 'pipe' | 'ignore' {
  return isWanted ? 'pipe' : 'ignore'
}

function checkPipes(child: ChildProcess): asserts child is ChildProcessWithoutNullStreams {
  if (child.stdin && child.stdout && child.stderr) return
  throw new Failure('unavailable', 'git could not be started: the process has no pipes.')
}

function gitArguments(call: StartedCall, more: readonly string[]): string[] {
  const settings = [...hardenedConfig, ...(call.config ?? []), ...more].flatMap((line) => ['-c', line])
  return [...(call.gitDir === undefined ? [] : [`--git-dir=${call.gitDir}`]), ...settings, ...call.args]
}

type Collected = GitCall & { readonly timeoutMs: number }

async function collect(
  child: ChildProcessWithoutNullStreams,
  call: Collected,
  signal?: AbortSignal,
): Promise<GitResult> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null }>()
  const output = gather(child, call)
  const deadline = setTimeout(() => output.end('timeout'), call.timeoutMs)
  let isOver: NodeJS.Timeout | undefined
  const onPushed = (isPushed: boolean) => {
    clearTimeout(isOver)
    if (isPushed && call.args[0] === 'push') isOver = setTimeout(() => output.end('half'), afterPushMs)
  }
  const lastResponse = call.readsResponses === true ? readResponses(child, onPushed) : () => undefined
  const onAbort = (): void => terminate(child)
  signal?.addEventListener('abort', onAbort, { once: true })
  child.once('error', (cause) => reject(new Failure('unavailable', 'git could not be started.', { cause })))
  child.once('close', (code) => resolve({ code }))
  // A process may end before it has read its input; its exit code gives the reason.
  child.stdin.on('error', () => {})
  child.stdin.end(call.input ?? '')
  try {
    const { code } = await promise
    signal?.throwIfAborted()
    const response = lastResponse()
    return { ...output.result(code), ...(response === undefined ? {} : { response }) }
  } finally {
    clearTimeout(deadline)
    clearTimeout(isOver)
    signal?.removeEventListener('abort', onAbort)
  }
}

type Gathered = {
  end(reason: 'timeout' | 'full' | 'enough' | 'half'): void
  result(code: number | null): GitResult
}

function gather(child: ChildProcessWithoutNullStreams, call: GitCall): Gathered {
  const out: Buffer[] = []
  const errors: Buffer[] = []
  const seen = { out: 0, errors: 0, ended: null as null | Parameters<Gathered['end']>[0] }
  const end: Gathered['end'] = (reason) => {
    seen.ended ??= reason
    terminate(child)
  }
  child.stdout.on('data', (chunk: Buffer) => {
    if (seen.ended !== null) return
    seen.out += chunk.length
    if (call.onData === undefined) out.push(chunk)
    else if (!call.onData(chunk)) return end('enough')
    if (seen.out > (call.maxBytes ?? defaultMaxBytes)) end('full')
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (seen.errors < maxErrorBytes) errors.push(chunk)
    seen.errors += chunk.length
  })
  return {
    end,
    result: (code) => {
      const ended = seen.ended ?? (code === null ? 'signal' : 'exit')
      const stderr = Buffer.concat(errors).toString('utf8')
      const stdout = Buffer.concat(out)
      if (call.credential === undefined) return { ended, code, stdout, stderr: stderr.slice(0, maxErrorBytes) }
      const redact = (text: string): string => redactCredential(text, call.credential)
      // Only the output of a failed command is quoted in messages. The output of a successful one is data.
      const quoted =
        code === 0
          ? cleanOutput(stdout, call.credential)
          : Buffer.from(redact(stdout.toString('utf8', 0, maxErrorBytes)))
      return { ended, code, stdout: quoted, stderr: redact(stderr).slice(0, maxErrorBytes) }
    },
  }
}

function terminate(child: ChildProcessWithoutNullStreams): void {
  signalGroup(child, 'SIGTERM')
  const kill = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
  child.once('close', () => clearTimeout(kill))
}

function signalGroup(child: ChildProcessWithoutNullStreams, name: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, name)
  } catch {
    // The group has already ended.
  }
}
