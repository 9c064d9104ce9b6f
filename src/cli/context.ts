// What every command is handed, and how it comes to the API.

import type { Environment } from '../config/config.ts'
import { type Api, openApi } from './api.ts'
import type { Output } from './output.ts'

export type CommandContext = {
  readonly environment: Environment
  /** `24.12.0` */
  readonly nodeVersion: string
  /** Was JSON asked for? Then standard error has nothing but a problem. */
  readonly json: boolean
  readonly output: Output
  /** Aborted by SIGINT and SIGTERM. */
  readonly stop: AbortSignal
}

/** Opens the API for one command and closes it whatever happens. */
export async function withApi<T>(
  context: CommandContext,
  work: (api: Api) => Promise<T>,
  needsService = false,
): Promise<T> {
  const api = await openApi(context.environment, needsService)
  try {
    return await work(api)
  } finally {
    await api.close()
  }
}

/** Resolves when the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
