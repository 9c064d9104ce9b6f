import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

test('the young generation grows with its survivors, except while work forbids it', () => {
  execFileSync(process.execPath, [fileURLToPath(new URL('young-generation.fixture.ts', import.meta.url))])
})
