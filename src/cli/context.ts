// The parts of the process that commands receive: no command reads the process itself.

import type { Environment } from '../config/environment.ts'
import type { Output } from './output.ts'

export type CommandContext = {
  readonly environment: Environment
  /** `24.12.0` */
  readonly nodeVersion: string
  /** With `--json`, standard error holds only a problem. */
  readonly json: boolean
  readonly output: Output
  /** Aborted by SIGINT and SIGTERM. */
  readonly stop: AbortSignal
  /** Reads all of standard input. */
  readonly readInput?: () => Promise<string>
  /** Standard input in pieces. */
  readonly readBytes?: () => AsyncIterable<Uint8Array>
  /** Reads a secret without showing it. Undefined: standard input is not a terminal. `isLine`: it ends with Enter. */
  readonly readHidden?: ((what: string, isLine: boolean) => Promise<string>) | undefined
  /** Opens an address in a browser. Undefined: there is no browser, as on a server. */
  readonly openInBrowser?: ((address: string) => Promise<void>) | undefined
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
