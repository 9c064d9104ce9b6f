// One service in this process, always on the embedded PostgreSQL: for tests of a single process or data directory.

import { parseConfig } from '../../src/config/config.ts'
import type { Environment } from '../../src/config/environment.ts'
import { serve, type Service } from '../../src/service/service.ts'
import { frontDatabase } from './clickhouse-front.ts'
import { createRepository, type Files } from './repository.ts'
import { type Client, createClient, createDataDir } from './service.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'

export type OneService = {
  readonly service: Service
  readonly folder: string
  readonly environment: Environment
  readonly repository: string
  readonly client: Client
  close(): Promise<void>
}

export async function startOneService(content: Files, settings: Environment = {}): Promise<OneService> {
  const folder = await temporaryFolder('one')
  const repository = createRepository(folder, content)
  const environment: Environment = {
    DOCENT_DATA_DIR: await createDataDir(folder),
    DOCENT_PORT: '0',
    DOCENT_LOG_LEVEL: 'error',
    DOCENT_ALLOW_LOCAL_REPOSITORIES: 'true',
    // A process can open only one embedded store of page views, and other tests of this process use it.
    CLICKHOUSE_URL: await frontDatabase(),
    ...settings,
  }
  const service = await serve(parseConfig(environment))
  const client = await createClient(environment, [service.address], repository)
  const close = async () => {
    await service.stop()
    await removeFolder(folder)
  }
  return { service, folder, environment, repository, client, close }
}
