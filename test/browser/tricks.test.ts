// The tricks of a hijacked model in a real browser, as the preview of Docent shows their pages. All of them are in one
// document, without the sandbox and the policy that the dashboard adds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPreviews } from '../../src/preview/previews.ts'
import { readCases } from '../support/policy-cases.ts'
import { startChromium } from './chromium.ts'

/** Runs in the page. */
const found = `[...document.querySelectorAll('main *')].flatMap((one) => {
  const names = one.getAttributeNames().filter((name) => /^on/i.test(name))
  const isCode = /^\\s*(?:javascript|vbscript|data:text)/i.test(one.getAttribute('href') ?? '')
  const isActive = ['script', 'iframe', 'object', 'embed', 'base', 'form', 'meta', 'link'].includes(one.localName)
  return names.length > 0 || isCode || isActive ? [one.outerHTML.slice(0, 200)] : []
})`

test('no script or handler of a trick runs in a preview', async (t) => {
  const previews = createPreviews()
  const parts: (string | undefined)[] = []
  for (const { path, text } of readCases()) {
    if (!/\.(?:mdx?|markdown)$/.test(path)) continue
    const content = new TextEncoder().encode(text)
    parts.push(await previews.preview({ path, content, read: () => Promise.resolve(undefined) }))
  }
  assert.ok(parts.length > 150, String(parts.length))
  const { context, close } = await startChromium()
  t.after(close)
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.setContent(
    `<title>Tricks</title><script>window.ran = []; window.alert = window.x = (what) => ran.push(String(what))</script><main>${parts.join('\n<hr>\n')}</main>`,
  )
  for (const link of await page.locator('main a, main button').all()) await link.dispatchEvent('mouseover')
  assert.deepEqual(await page.evaluate('ran'), [])
  assert.deepEqual(await page.evaluate(found), [])
  assert.deepEqual(
    asked.filter((address) => /^(?:https?|wss?):/.test(address)),
    [],
  )
})
