// The API in this process, on a data directory without a service. Loads the whole service, so it is imported only then.

import { Readable } from 'node:stream'
import { type Config, configuredAddress } from '../../config/config.ts'
import type { DirectoryLock } from '../../lib/directory-lock.ts'
import { operator } from '../../projects/keys.ts'
import { buildApp } from '../../service/app.ts'
import { openEngines } from '../../service/engines.ts'
import type { ApiRequest, Reply } from './transport.ts'

/** As the operator. Closing it releases the lock. */
export async function openInProcess(config: Config, lock: DirectoryLock) {
  const engines = await openEngines({ ...config, logLevel: 'error' }, lock)
  const app = buildApp(engines, configuredAddress(config))
  return {
    send: async ({ path, signal, ...init }: ApiRequest): Promise<Reply> => {
      const request = new Request(`http://docent.local${path}`, { ...init, ...(signal ? { signal } : {}) })
      const response = await app.fetch(request, { principal: operator })
      const body = response.body ? Readable.fromWeb(response.body as ReadableStream<Uint8Array>) : Readable.from([])
      return { status: response.status, headers: Object.fromEntries(response.headers), body }
    },
    close: () => engines.close(),
  }
}
