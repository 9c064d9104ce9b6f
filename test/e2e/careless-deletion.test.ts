// A model deletes a page that others name, on a site of every kind, and says that all is well. The service finds each
// reference, and publishes nothing as finished.

import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import type { ReviewResponse } from '../../src/http/resources/jobs/review-schemas.ts'
import { siteKinds } from '../../src/sites/kinds.ts'
import { docsSite } from '../support/docs-sites.ts'
import { git } from '../support/repository.ts'
import { finish, type ScriptedService, startScriptedService } from '../support/scripted.ts'

let service: ScriptedService
before(async () => {
  service = await startScriptedService({}, {}, docsSite('plain').files)
})
after(() => service.close())

/** The branch holds these files and no others. */
async function replaceTree(files: Readonly<Record<string, string>>): Promise<void> {
  const work = `${service.repository}-work`
  await git(dirname(work), 'clone', '--quiet', service.repository, work)
  await git(work, 'rm', '-rq', '.')
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true })
    await writeFile(join(work, path), text)
  }
  await git(work, 'add', '--all')
  await git(work, 'commit', '--quiet', '--message=another site', '--no-gpg-sign', '--allow-empty')
  await git(work, 'push', '--quiet', 'origin', 'HEAD')
  await rm(work, { recursive: true })
}

for (const kind of siteKinds) {
  test(`${kind}: a page that others name is never deleted as if all were well`, async () => {
    const site = docsSite(kind)
    const [gone, before] = [site.page('guides/webhooks'), site.page('guides/deploy')]
    await replaceTree(site.files)
    service.play({ calls: [{ name: 'delete_file', input: { path: gone } }] }, finish, finish, finish)
    const { id } = await service.client.create('Remove the page')
    const job = await service.client.ended(id)
    const pull = (await service.client.pulls()).find(({ jobId }) => jobId === id)
    assert.ok(!pull || pull.draft, `${job.status} ${job.outcome}`)
    const path = `/v2/agent/${service.client.projectId}/job/${id}/checks`
    const { findings } = await service.client.call<ReviewResponse>('GET', path)
    const dead = findings.filter((one) => one.state === 'introduced' && one.path === before && one.kind === 'link')
    assert.equal(dead.length, 2, JSON.stringify(findings))
  })
}
