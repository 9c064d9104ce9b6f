// The PostgreSQL dump of each release is restored into a new database of a real server, and a service of this revision migrates it
// and finds the same jobs, pull requests and counts. test/e2e opens the same data on the embedded database.

import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { serveData } from '../support/data-directory.ts'
import { sharedServer } from '../support/engine.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { assertRecorded, openArchive, settingsFor, versions } from '../upgrades/open.ts'

let folder: string
before(async () => {
  folder = await temporaryFolder('archives')
})
after(() => removeFolder(folder))

/** Into a database without anything: that of the tests has the schema of this revision. */
async function restore(dump: string): Promise<string> {
  const url = await (await sharedServer()).createDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('drop schema public cascade; create schema public')
    await client.query(await readFile(dump, 'utf8'))
  } finally {
    await client.end()
  }
  return url
}

for (const version of versions) {
  test(`a dump of release ${version} is restored, and each count is as it was`, async () => {
    const { dataDir, dump, recorded } = await openArchive(version, folder)
    const url = await restore(dump)
    try {
      const service = await serveData(dataDir, folder, { ...settingsFor(recorded.madeAt), DATABASE_URL: url })
      try {
        await assertRecorded(service.address, recorded)
      } finally {
        await service.stop()
      }
    } finally {
      await (await sharedServer()).dropDatabase(url)
    }
  })
}
