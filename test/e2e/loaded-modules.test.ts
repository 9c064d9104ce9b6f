// What a command loads. Loading is most of what a short command costs, and unlike time it can be counted exactly:
// `node bench/start.ts` prints the time.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { resultOf, spawnPreloaded } from '../support/command.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const recorder = fileURLToPath(new URL('../support/loaded-modules.ts', import.meta.url))

/** Nothing listens there: a command loads all that it needs before it finds that out. */
const client = {
  DOCENT_URL: 'http://127.0.0.1:1',
  DOCENT_API_KEY: 'docent_x',
  DOCENT_PROJECT: 'prj_00000000000000000000',
}

const engines = /\/src\/(?:git|jobs\/(?!response)|http|postgres|clickhouse|agent|service\/(?!version|socket))/

for (const { args, most } of [
  { args: ['--version'], most: 8 },
  { args: ['--help'], most: 9 },
  { args: ['project', 'list'], most: 26 },
  { args: ['job', 'show', 'job_1'], most: 26 },
  { args: ['pull', 'list'], most: 22 },
  { args: ['key', 'list'], most: 24 },
  { args: ['analytics', 'export'], most: 24 },
]) {
  test(`docent ${args.join(' ')} loads no engine and no package but commander`, async (t) => {
    const folder = await temporaryFolder('loaded')
    t.after(() => removeFolder(folder))
    const list = join(folder, 'modules')
    const ran = await resultOf(spawnPreloaded(recorder, args, { ...client, LOADED_MODULES: list }, folder))
    assert.ok(ran.code === 0 || /There is no response from/.test(ran.stderr), ran.stderr)
    const modules = (await readFile(list, 'utf8')).trimEnd().split('\n')
    const packages = new Set(modules.flatMap((url) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))
    const own = modules.filter((url) => url.includes('/src/'))
    assert.deepEqual([...packages], ['commander'])
    assert.deepEqual(
      own.filter((url) => engines.test(url)),
      [],
    )
    assert.ok(own.length <= most, `${own.length} files:\n${own.join('\n')}`)
    assert.ok(!modules.includes('node:sqlite'))
  })
}
