// The tricks of a hijacked model in a real browser: pages as the preview of Docent shows them, and files that sites serve
// as they are. The pages are in one document, without the sandbox and the policy that the dashboard adds.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { test } from 'node:test'
import { createPreviews } from '../../src/preview/previews.ts'
import { readCases, verdictOf } from '../support/policy-cases.ts'
import { startChromium } from './chromium.ts'
import { openTrick, prepareTricks } from './watch-tricks.ts'

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

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.svg': 'image/svg+xml',
  '.xml': 'application/xml',
  '.xht': 'application/xhtml+xml',
}

type ServedFile = { readonly path: string; readonly text: string; readonly isPassed: boolean }

/** The tricks in such files, and HTML of those in Markdown as if it were in such a file. */
async function chooseFiles(): Promise<readonly ServedFile[]> {
  const files: ServedFile[] = []
  for (const one of readCases()) {
    const extension = extname(one.path)
    const isPage = /^\.(?:mdx?|markdown)$/.test(extension) && /<\w/.test(one.text)
    const extensions = isPage ? ['.html', '.svg', '.xht'] : types[extension] === undefined ? [] : [extension]
    for (const each of extensions) {
      const path = `docs/file-${files.length}${each}`
      const verdict = await verdictOf({ ...one, path })
      const isPassed = verdict === 'passes' || verdict === 'named'
      if (isPassed || !isPage) files.push({ path, text: one.text, isPassed })
    }
  }
  return files
}

test('no file that passes runs a script when a site serves it as it is', async (t) => {
  const files = await chooseFiles()
  const texts = new Map(files.map(({ path, text }) => [`/${path}`, text]))
  const server = createServer(({ url = '/' }, response) => {
    const text = texts.get(url)
    if (text === undefined) response.writeHead(404).end()
    else response.setHeader('content-type', types[extname(url)] ?? 'image/png').end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { context, close } = await startChromium()
  t.after(close)
  await prepareTricks(context)
  const page = await context.newPage()
  const ran: (ServedFile & { readonly what: readonly string[] })[] = []
  for (const file of files) {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${file.path}`
    const what = await openTrick(page, address, false)
    if (what.length > 0) ran.push({ ...file, what })
  }
  t.diagnostic(`${files.filter(({ isPassed }) => isPassed).length} of ${files.length} files passed; ${ran.length} ran`)
  assert.deepEqual(
    ran.filter(({ isPassed }) => isPassed),
    [],
  )
  // The test can fail.
  assert.ok(ran.length >= 8, `${ran.length} files ran`)
})
