// Which program opens an address, by platform and screen.

import assert from 'node:assert/strict'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeFolder, temporaryFolder } from '../../test/support/temporary.ts'
import { browserFor } from './browser.ts'

test('on Linux an address is opened by xdg-open, and only where there is a screen', async (t) => {
  const folder = await temporaryFolder('browser')
  t.after(() => removeFolder(folder))
  const program = join(folder, 'xdg-open')
  await writeFile(program, `#!/bin/sh\nprintf '%s' "$1" > "${folder}/opened"\n`)
  await chmod(program, 0o755)
  assert.equal(browserFor('linux', { PATH: folder }), undefined)
  await browserFor('linux', { PATH: folder, DISPLAY: ':0' })?.('http://127.0.0.1/pulls/x?a&b')
  assert.equal(await readFile(join(folder, 'opened'), 'utf8'), 'http://127.0.0.1/pulls/x?a&b')
  await assert.rejects(browserFor('darwin', { PATH: folder })?.('http://127.0.0.1/') ?? Promise.resolve(), /ENOENT/)
})
