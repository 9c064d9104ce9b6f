import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { git } from '../../../test/support/repository.ts'
import { createRandom } from '../../../test/support/random.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { applyBlocks, digestOf, parseBlocks } from './hunks.ts'

test('the blocks of a diff by git make the new text, and without blocks the old one', async (t) => {
  const folder = await temporaryFolder('hunks')
  t.after(() => removeFolder(folder))
  const random = createRandom(7)
  const words = ['a', 'b', '', '  ', 'c d', '\ta', '-- x', '++ y', '@@ -1 +1 @@', '\\ No newline', 'é\u{FEFF}', 'r\r']
  const text = () => {
    const lines = Array.from({ length: random.int(13) }, () => random.pick(words as [string, ...string[]]))
    return lines.join('\n') + (random.chance(0.5) && lines.length > 0 ? '\n' : '')
  }
  for (let round = 0; round < 60; round += 1) {
    const [before, after] = [text(), text()]
    await Promise.all([writeFile(join(folder, 'a'), before), writeFile(join(folder, 'b'), after)])
    const args = ['diff', '--no-index', '--no-color', '--exit-code', 'a', 'b']
    const patch = await git(folder, ...args).catch((error: { readonly stdout: string }) => error.stdout)
    const blocks = parseBlocks(patch)
    assert.equal(applyBlocks(before, blocks), after, JSON.stringify({ before, after, patch }))
    assert.equal(applyBlocks(before, []), before)
    if (blocks.length > 0 && blocks[0]?.removed.length) assert.equal(applyBlocks(`other\n${before}`, blocks), undefined)
  }
})

test('a change is the same one in other places and with other white space', () => {
  const of = (removed: string[], added: string[], path = 'a.md') => digestOf(path, { removed, added })
  const same = of(['Two words.\n'], ['Three  words.\n'])
  assert.equal(of(['  Two\twords. \n', '\n'], ['Three words.']), same)
  const others = [
    of(['Two words.\n'], ['Three words!\n']),
    of(['Two words.\n'], []),
    of([], ['Three words.\n']),
    of(['Three words.\n'], ['Two words.\n']),
    of(['Two words.\n'], ['Three words.\n'], 'b.md'),
    of(['Two', 'words.\n'], ['Three words.\n']),
  ]
  assert.equal(new Set([same, ...others]).size, others.length + 1)
  assert.equal(of([' \n'], ['\n', '\t\n']), undefined)
})
