// Closes what all test files of a process share, after the last of them. test/run.ts loads this before any file: a hook
// that a file adds would run after the tests of that file.

import { after } from 'node:test'

const closing: (() => Promise<void>)[] = []
after(async () => {
  for (const close of closing) await close()
})

export function atEnd(close: () => Promise<void>): void {
  closing.push(close)
}
