// Who may import whom: each rule of docs/architecture.md is proved by a planted fault, and what is allowed stays so.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

const refused: readonly (readonly [folder: string, line: string])[] = [
  ['lib', "import { a } from '../jobs/a.ts'"],
  ['lib', "import type { a } from '../postgres/a.ts'"],
  ['postgres', "import { a } from '../jobs/a.ts'"],
  ['git', "import type { a } from '../agent/a.ts'"],
  ['git', "import { a } from '../postgres/a.ts'"],
  ['agent/tools', "import { a } from '../../git/a.ts'"],
  ['forge', "import { a } from '../git/a.ts'"],
  ['checks', "import { a } from '../agent/a.ts'"],
  ['projects', "import { a } from '../jobs/a.ts'"],
  ['jobs', "import { a } from '../http/a.ts'"],
  ['jobs', "export { a } from '../projects/a.ts'"],
  ['jobs/steps', "import { a } from '../../config.ts'"],
  ['pulls', "import { a } from '../serve.ts'"],
  ['http', "import type { a } from '../postgres/a.ts'"],
  ['http', "import { a } from '../git/a.ts'"],
  ['http', "const { a } = await import('../git/a.ts')"],
  ['client', "import type { a } from '../../src/analytics/a.ts'"],
]
const allowed: readonly (readonly [folder: string, line: string])[] = [
  ['jobs', "import { a } from '../git/a.ts'"],
  ['jobs', "import type { a } from '../projects/a.ts'"],
  ['http', "import { a } from '../jobs/a.ts'"],
  ['http', "import type { a } from '../git/a.ts'"],
  ['cli', "import { a } from '../serve.ts'"],
  ['client', "import { a } from './a.ts'"],
]

test('an import that the architecture forbids is refused, and no other', async () => {
  const folder = await temporaryFolder('lint')
  try {
    await cp(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    const name = ([at]: readonly [string, string], kind: string, n: number) =>
      `${at === 'client' ? 'client/src' : `src/${at}`}/${kind}-${n}.ts`
    for (const [kind, rows] of [
      ['refused', refused],
      ['allowed', allowed],
    ] as const) {
      for (const [n, row] of rows.entries()) await plant(folder, name(row, kind, n), row[1])
    }
    const found = await lint(folder)
    assert.deepEqual(found.toSorted(), refused.map((row, n) => name(row, 'refused', n)).toSorted())
  } finally {
    await removeFolder(folder)
  }
})

async function plant(folder: string, path: string, line: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), `${line}\n`)
}

/** The files with a forbidden import. */
async function lint(folder: string): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(
    join(root, 'node_modules/.bin/oxlint'),
    ['--format=json', 'src', 'client'],
    { cwd: folder },
    (_error, stdout) => resolve(stdout),
  )
  const { diagnostics } = JSON.parse(await promise) as { diagnostics: { code: string; filename: string }[] }
  const hits = diagnostics.filter((one) => one.code.includes('no-restricted-imports'))
  return [...new Set(hits.map((one) => one.filename))]
}
