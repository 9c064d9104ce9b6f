// Tricks that the policy lets pass, on pages that a generator has really built, in a real browser: they run no script.
// `npm run test:generators` installs the generators, and is no part of `.ci/run`.

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { startChromium } from '../browser/chromium.ts'
import { openTrick, prepareTricks } from '../browser/watch-tricks.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'
import { generators } from './all.ts'
import { buildPages, choosePages, type TrickPage } from './pages.ts'

/** Pages that are open at the same time: most of their time is waiting. */
const tabs = 6

for (const generator of generators) {
  test(`no page that passes runs a script on a site of ${generator.site}`, async (t) => {
    const folder = await temporaryFolder('generator')
    t.after(() => removeFolder(folder))
    const { html, pages } = await buildPages(generator, await choosePages(generator), folder)
    const origin = await serve(t, html)
    const ran = await openPages(t, pages, (tab, { name }) => openTrick(tab, `${origin}/${name}`, generator.isLive))
    const passed = pages.filter(({ isPassed }) => isPassed)
    const fired = pages.filter((page) => !page.isPassed && (ran.get(page)?.length ?? 0) > 0)
    t.diagnostic(`${passed.length} pages passed; ${fired.length} of ${pages.length - passed.length} others ran`)
    assert.deepEqual(
      passed.flatMap((page) => (ran.get(page) ?? []).map((what) => `${what}: ${page.text}`)),
      [],
    )
    assert.ok(passed.length >= 20, `${passed.length} pages passed`)
    // The test can fail.
    assert.ok(fired.length >= 5, `${fired.length} pages ran`)
  })
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** As hosts of sites do: `/a` is the page `a.html`. */
async function serve(t: TestContext, folder: string): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.test')
    const path = extname(pathname) === '' ? `${pathname}.html` : pathname
    void readFile(join(folder, path)).then(
      (bytes) => response.setHeader('content-type', types[extname(path)] ?? 'image/png').end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Returns what ran on each page. */
async function openPages(
  t: TestContext,
  pages: readonly TrickPage[],
  open: (tab: Page, page: TrickPage) => Promise<readonly string[]>,
): Promise<ReadonlyMap<TrickPage, readonly string[]>> {
  const { context, close } = await startChromium()
  t.after(close)
  await prepareTricks(context)
  const ran = new Map<TrickPage, readonly string[]>()
  const waiting = [...pages]
  const work = async () => {
    for (let page = waiting.shift(); page; page = waiting.shift()) {
      const tab = await context.newPage()
      ran.set(page, await open(tab, page))
      await tab.close()
    }
  }
  await Promise.all(Array.from({ length: tabs }, work))
  return ran
}
