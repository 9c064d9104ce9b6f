import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

test('the young generation grows with its survivors, except while work forbids it', () => {
  const fixture = fileURLToPath(new URL('young-generation.fixture.ts', import.meta.url))
  // On a busy machine the threads of the collector are late, and what they have not freed yet counts.
  execFileSync(process.execPath, ['--single-threaded-gc', fixture])
})
