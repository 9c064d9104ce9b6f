// Closes everything that the test files of a process share, after the last file. test/run.ts loads this before any test
// file, because a hook that a file adds runs after the tests of that file.

import { after } from 'node:test'

const closing: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closing) await close()
})

export function atEnd(close: () => Promise<void>): void {
  closing.push(close)
}
