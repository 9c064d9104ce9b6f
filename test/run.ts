// Runs the test files that the patterns name, in one process: node test/run.ts 'src/**/*.test.ts'. The runner of Node
// would run the `before` hooks of all files before the first test. Here every file is a suite, so that its hooks run
// around its own tests, and what it opens is closed before the next file starts.

import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe } from 'node:test'
import { pathToFileURL } from 'node:url'
import './support/moved-clock.ts'
import './support/leaks.ts'

/** The longest that one file may take. */
const timeout = 600_000

const patterns = process.argv.slice(2)
const files = patterns.flatMap((pattern) => globSync(pattern).toSorted())
if (files.length === 0) throw new Error(`There is no test file at ${patterns.join(' ')}.`)
for (const file of new Set(files)) {
  describe(file, { timeout }, async () => {
    await import(pathToFileURL(resolve(file)).href)
  })
}
