// The data that each release stored are opened by this revision: a service finds the same jobs, pull requests and counts, and
// counting the windows again from their page views gives the counters that they were sealed with. `scripts/release/archive` makes the archives; an update of an
// embedded engine that can't open them fails here. test/postgres opens their dumps.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { serveData } from '../support/data-directory.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { assertRecorded, openArchive, settingsFor, versions } from '../upgrades/open.ts'

let folder: string
before(async () => {
  folder = await temporaryFolder('archives')
})
after(() => removeFolder(folder))

test('there is an archive of a release', () => {
  assert.ok(versions.includes('0.1.0'))
})

for (const version of versions) {
  test(`the data of release ${version} are opened, and each count is as it was`, async () => {
    const { dataDir, recorded } = await openArchive(version, folder)
    const service = await serveData(dataDir, folder, settingsFor(recorded.madeAt))
    try {
      await assertRecorded(service.address, recorded)
    } finally {
      await service.stop()
    }
  })
}
