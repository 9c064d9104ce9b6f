// Tricks that the policy lets pass, on pages that a generator has really built, in a real browser: they run no script.
// `npm ci --prefix test/generators` installs the generators; `npm run test:generators` is no part of `.ci/run`.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startChromium } from '../browser/chromium.ts'
import { readCases, verdictOf } from '../support/policy-cases.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const run = promisify(execFile)
const installed = join(import.meta.dirname, 'node_modules')

type Generator = {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  /** Whether the generator builds a page of this text at all: one that fails would fail the whole site. */
  readonly createAccepts: (folder: string) => Promise<(text: string) => boolean>
  /** Builds the site in the folder and returns the folder of its pages. */
  readonly build: (folder: string) => Promise<string>
}

const generators: readonly Generator[] = [
  {
    name: 'vitepress',
    // Images that are nowhere would fail the build.
    files: {
      '.vitepress/config.mjs':
        "export default { title: 'Tricks', ignoreDeadLinks: true, vue: { template: { transformAssetUrls: false } } }\n",
      'index.md': '# A\n',
    },
    createAccepts: async (folder) => {
      const site = (await import(join(installed, 'vitepress/dist/node/index.js'))) as VitePress
      const vue = (await import(join(installed, 'vue/compiler-sfc/index.mjs'))) as VueCompiler
      const markdown = await site.createMarkdownRenderer(folder)
      return (text) => {
        const source = `<div>${markdown.render(text)}</div>`
        const { errors } = vue.parse(`<template>${source}</template>`)
        return errors.length === 0 && vue.compileTemplate({ source, filename: 'a.md', id: 'a' }).errors.length === 0
      }
    },
    build: async (folder) => {
      await run(process.execPath, [join(installed, 'vitepress/bin/vitepress.js'), 'build', folder])
      return join(folder, '.vitepress/dist')
    },
  },
]

type VitePress = {
  readonly createMarkdownRenderer: (folder: string) => Promise<{ readonly render: (text: string) => string }>
}
type Compiled = { readonly errors: readonly unknown[] }
type VueCompiler = {
  readonly parse: (text: string) => Compiled
  readonly compileTemplate: (options: Readonly<Record<'source' | 'filename' | 'id', string>>) => Compiled
}

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

for (const { name, files, createAccepts, build } of generators) {
  test(`no page that passes runs a script on a site of ${name}`, async (t) => {
    const folder = await temporaryFolder('generator')
    t.after(() => removeFolder(folder))
    const accepts = await createAccepts(folder)
    const pages = new Map<string, string>()
    for (const one of readCases()) {
      if ((one.site !== name && one.site !== 'plain') || !one.path.endsWith('.md')) continue
      const verdict = await verdictOf({ ...one, site: name })
      const isUnseen = verdict === 'passes' || verdict === 'named'
      if (isUnseen && accepts(one.text)) pages.set(`page-${pages.size}`, one.text)
    }
    assert.ok(pages.size > 5, String(pages.size))
    // A script that does run is seen.
    pages.set('runs', '<img src="data:,none" onerror="alert(1)">\n')
    const all = { ...files, ...Object.fromEntries(Array.from(pages, ([page, text]) => [`${page}.md`, text])) }
    for (const [path, text] of Object.entries(all)) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await symlink(installed, join(folder, 'node_modules'))
    const built = await build(folder)
    const server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://site.test').pathname
      void readFile(join(built, path)).then(
        (bytes) => response.setHeader('content-type', types[extname(path)] ?? 'image/png').end(bytes),
        () => response.writeHead(404).end(),
      )
    }).listen(0, '127.0.0.1')
    t.after(() => server.close())
    const { context, close } = await startChromium()
    t.after(close)
    await context.addInitScript('window.ran = []; window.alert = window.x = (what) => ran.push(String(what))')
    const ran: string[] = []
    for (const [page, text] of pages) {
      const tab = await context.newPage()
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${page}.html`)
      await tab.waitForLoadState('networkidle')
      const found = await tab.evaluate<readonly string[]>('window.ran')
      if (found.length > 0) ran.push(page === 'runs' ? page : `${page}: ${text}`)
      await tab.close()
    }
    assert.deepEqual(ran, ['runs'])
  })
}
