// The data directory of the fault tests with GitHub as the forge of the project: a loopback one, with an App.

import assert from 'node:assert/strict'
import type { Api } from '../../src/cli/api/api.ts'
import type { Environment } from '../../src/config/environment.ts'
import type { JobResponse } from '../../src/jobs/response.ts'
import { startForge, type TestForge } from '../support/forge/forge.ts'
import { type Arranged, arrange } from './arrange.ts'

export type ArrangedOnGitHub = Arranged & { readonly forge: TestForge }
type Connect = (operator: Api, forge: TestForge, address: string) => Promise<number>

/** `connect`: makes an App, and returns the id of its installation. */
export async function arrangeOnGitHub(
  settings: Environment = {},
  connect: Connect = connectApp,
): Promise<ArrangedOnGitHub> {
  const cleanups: (() => Promise<void> | void)[] = []
  const forge = await startForge(
    { after: (work) => cleanups.push(work as () => Promise<void>) },
    { kind: 'github', files: { 'index.md': '# Home\n' } },
  )
  const own = {
    DOCENT_PRIVATE_REPOSITORY_HOSTS: forge.host,
    DOCENT_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
  }
  const arranged = await arrange(
    { ...own, ...settings },
    {
      address: forge.repository,
      directory: forge.remote.directory,
      connect: async (operator, projectId, address) => {
        const installationId = await connect(operator, forge, address)
        const path = `/v1/projects/${projectId}/credential`
        await operator.send('PUT', path, { forge: 'github', installationId })
      },
      assertProposed: (job) => assertProposed(forge, job),
    },
  )
  const close = async () => {
    await arranged.close()
    for (const cleanup of cleanups.toReversed()) await cleanup()
  }
  return { ...arranged, forge, close }
}

async function connectApp(operator: Api, forge: TestForge): Promise<number> {
  const app = forge.createApp()
  await operator.send('PUT', '/v1/forge-apps', { webUrl: forge.web, appId: app.id, privateKey: app.privateKey })
  return app.installationId
}

function assertProposed(forge: TestForge, { id, pullRequest, source }: JobResponse): void {
  const mine = forge.pulls.filter(({ branch }) => branch.includes(id))
  assert.equal(mine.length, 1, 'one pull request on GitHub')
  const pull = mine[0]
  assert.deepEqual(
    [pullRequest?.number, pull?.branch, pull?.state, pull?.head],
    [pull?.number, source.ref, 'open', forge.remote.head(source.ref ?? '')],
  )
}
