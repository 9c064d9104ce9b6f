// Measures a check of a documentation site: the first one, ten with ten edits before each, and the first one after a
// restart. Pages of Markdown are also measured beside plain parsing and beside remark-validate-links, which checks their
// links and anchors. Install it first with `npm ci --prefix bench`, then run
// `node bench/check.ts [pages] [folders of 50 for remark-validate-links] [md | rst | adoc]`.

import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type CheckResult, checkTree } from '../src/checks/check-tree.ts'
import { createFactsReader, type FactsReader } from '../src/checks/facts/reader.ts'
import { openFolder } from '../src/cli/check/folder.ts'
import { parsePage } from '../src/docs-syntax/markdown.ts'

const count = Number(process.argv[2] ?? 5_000)
const folders = 50
/** It takes far longer for each page, so it gets these folders only; their links leave them, as in the whole. */
const otherFolders = Number(process.argv[3] ?? 2)
const syntax = process.argv[4] ?? 'md'
const site = siteOf(syntax)
const folder = await mkdtemp(join(tmpdir(), 'docent-bench-check-'))
const pages = Array.from({ length: count }, (_, at) => ({ path: pathOf(at), text: pageText(at) }))
await writeSite()
const bytes = pages.reduce((sum, { text }) => sum + text.length, 0)
console.log(`${count} pages (${syntax}), ${(bytes / 1e6).toFixed(1)} MB, 20 links each`)

const facts = createFactsReader()
const first = await measure('first check', () => check({ progress: true }))
const edits = await measureEdits(first.result)
await facts.close()
const restarted = createFactsReader()
const warm = await measure('first check after a restart', () => check({ tree: edits.tree, reader: restarted }))
await restarted.close()
console.log(
  `after ten edits, median of ten       ${edits.ms.toFixed(0).padStart(8)} ms, ${edits.cpu.toFixed(0)} ms of CPU`,
)
console.log(`after a restart / first check         ${(warm.ms / first.ms).toFixed(2)}`)
if (syntax === 'md') await compareParsing()
await rm(folder, { recursive: true })

async function measureEdits(before: CheckResult) {
  let previous = before
  let tree = await openFolder(folder, undefined)
  const runs: Cost[] = []
  for (let round = 0; round < 10; round += 1) {
    const edited = pages.slice(round * 10, round * 10 + 10)
    await Promise.all(edited.map(({ path, text }) => writeFile(join(folder, path), `${text}\nMore.\n`)))
    tree = await openFolder(folder, undefined)
    const run = await measure('check after ten edits', () => check({ tree, previous }))
    runs.push(run)
    previous = run.result
  }
  const median = (values: number[]) => values.sort((one, other) => one - other)[5] ?? 0
  return { tree, ms: median(runs.map(({ ms }) => ms)), cpu: median(runs.map(({ cpu }) => cpu)) }
}

async function compareParsing(): Promise<void> {
  const parsing = await measure('plain parsing, one thread', () => {
    for (const { path, text } of pages) parsePage(path, text)
    return Promise.resolve()
  })
  console.log(`first check / plain parsing          ${(first.ms / parsing.ms).toFixed(2)}`)
  console.log(`after ten edits / plain parsing      ${(edits.ms / parsing.ms).toFixed(4)}`)
  const otherFiles = Array.from({ length: otherFolders }, (_, at) => `docs/part-${at}`)
  const otherCount = pages.filter(({ path }) => otherFiles.some((one) => path.startsWith(`${one}/`))).length
  const other = await measureOther(otherFiles, otherCount)
  if (other === undefined) return
  const perPage = other.ms / otherCount
  console.log(`remark-validate-links, a page        ${perPage.toFixed(1)} ms`)
  console.log(`first check / that, a page           ${(first.ms / count / perPage).toFixed(2)}`)
}

type SiteText = {
  /** The folder of a page, and that of the whole site's pages. */
  readonly folder: (part: string) => string
  readonly files: Readonly<Record<string, string>>
  readonly head: (title: string) => string
  readonly heading: (title: string, anchor: string) => string
  readonly link: (at: number, anchor: string) => string
  readonly code: (line: string) => string
}

function siteOf(name: string): SiteText {
  const fileOf = (at: number): string => `part-${at % folders}/page-${at}`
  const underlined = (title: string, mark: string): string => `${title}\n${mark.repeat(title.length)}\n`
  if (name === 'rst') {
    return {
      folder: (part) => `docs/${part}`,
      files: {
        'docs/conf.py': 'project = "Bench"\n',
        'docs/index.rst': `${underlined('Bench', '=')}\n.. toctree::\n   :glob:\n\n   part-*/*\n`,
      },
      head: (title) => underlined(title, '='),
      heading: (title, anchor) => `.. _${anchor}:\n\n${underlined(title, '-')}`,
      link: (at, anchor) => `:ref:\`page ${at} <${fileOf(at).replace('/', '-')}-${anchor}>\``,
      code: (line) => `.. code-block:: sh\n\n   ${line}\n`,
    }
  }
  if (name === 'adoc') {
    const list = Array.from({ length: count }, (_, at) => `* xref:${fileOf(at)}.adoc[]\n`)
    return {
      folder: (part) => `modules/ROOT/pages/${part}`,
      files: {
        'antora.yml': 'name: bench\nversion: ~\nnav:\n- modules/ROOT/nav.adoc\n',
        'modules/ROOT/nav.adoc': list.join(''),
      },
      head: (title) => `= ${title}\n`,
      heading: (title, anchor) => `[#${anchor}]\n== ${title}\n`,
      link: (at, anchor) => `xref:${fileOf(at)}.adoc#${anchor}[page ${at}]`,
      code: (line) => `[source,sh]\n----\n${line}\n----\n`,
    }
  }
  return {
    folder: (part) => `docs/${part}`,
    files: { 'mkdocs.yml': 'site_name: Bench\n' },
    head: (title) => `---\ntitle: ${title}\n---\n\n# ${title}\n`,
    heading: (title) => `## ${title}\n`,
    link: (at, anchor) => `[page ${at}](../${fileOf(at)}.md#${anchor})`,
    code: (line) => `\`\`\`sh\n${line}\n\`\`\`\n`,
  }
}

async function writeSite(): Promise<void> {
  for (let at = 0; at < folders; at += 1) await mkdir(join(folder, site.folder(`part-${at}`)), { recursive: true })
  await Promise.all(pages.map(({ path, text }) => writeFile(join(folder, path), text)))
  await Promise.all(Object.entries(site.files).map(([path, text]) => writeFile(join(folder, path), text)))
}

function pathOf(at: number): string {
  return `${site.folder(`part-${at % folders}`)}/page-${at}.${syntax}`
}

/** About 2.5 kB, as half of the pages of public documentation have. */
function pageText(at: number): string {
  const anchorOf = (page: number, section: number): string =>
    syntax === 'rst' ? `part-${page % folders}-page-${page}-section-${section}` : `section-${section}`
  const sections = Array.from({ length: 5 }, (_, section) => {
    const links = Array.from({ length: 4 }, (_unused, link) =>
      site.link((at * 7 + section * 11 + link * 13) % count, `section-${link}`),
    )
    const words = 'Each plant in the garden has its own place, and the service waters it. '.repeat(3)
    const heading = site.heading(`Section ${section}`, anchorOf(at, section))
    return `${heading}\n${words}See ${links.join(', ')}.\n\n${site.code(`acme water --plant ${at}`)}`
  })
  return `${site.head(`Page ${at}`)}\n${sections.join('\n')}`
}

type Wanted = {
  readonly tree?: Awaited<ReturnType<typeof openFolder>>
  readonly previous?: CheckResult
  readonly reader?: FactsReader
  readonly progress?: true
}

async function check({ tree, previous, reader = facts, progress }: Wanted): Promise<CheckResult> {
  const onProgress = (done: number, total: number) => {
    if (progress && process.stderr.isTTY && done % 100 === 0) process.stderr.write(`\r${done} of ${total}\u001b[K`)
  }
  const files = tree ?? (await openFolder(folder, undefined))
  const { signal } = new AbortController()
  const result = await reader.keptIn(join(folder, '.facts'), (kept) =>
    checkTree(files, { facts: kept, previous, signal, onProgress }),
  )
  const [fault] = result.findings
  if (fault) throw new Error(`The site of the bench has a fault: ${JSON.stringify(fault)}`)
  return result
}

type Cost = { readonly ms: number; readonly cpu: number }

async function measure<Result>(what: string, work: () => Promise<Result>) {
  const began = performance.now()
  const cpu = process.cpuUsage()
  const result = await work()
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  const used = (user + system) / 1_000
  console.log(`${what.padEnd(36)} ${ms.toFixed(0).padStart(8)} ms, ${used.toFixed(0)} ms of CPU`)
  return { ms, cpu: used, result }
}

/** In a thread, so that it shares no modules with this process. Undefined if it is not installed. */
async function measureOther(otherFiles: readonly string[], otherCount: number) {
  try {
    createRequire(new URL('package.json', import.meta.url)).resolve('remark-validate-links')
  } catch {
    console.log('remark-validate-links is not installed: npm ci --prefix bench')
    return undefined
  }
  const code = `
    import { engine } from ${JSON.stringify(moduleOf('unified-engine'))}
    import { remark } from ${JSON.stringify(moduleOf('remark'))}
    import validateLinks from ${JSON.stringify(moduleOf('remark-validate-links'))}
    import { PassThrough } from 'node:stream'
    import { parentPort } from 'node:worker_threads'
    const options = {
      processor: remark(), cwd: ${JSON.stringify(folder)}, files: ${JSON.stringify(otherFiles)}, extensions: ['md'], quiet: true,
      output: false, out: false, streamError: new PassThrough().resume(), streamOut: new PassThrough().resume(),
      plugins: [[validateLinks, { repository: false, root: ${JSON.stringify(folder)} }]],
    }
    engine(options, (error, code) => parentPort.postMessage({ error: error ? String(error) : null, code }))
  `
  return await measure(`remark-validate-links, ${otherCount} pages`, async () => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
    const [{ error, code: ending }] = (await once(worker, 'message')) as [{ error: string | null; code: number }]
    await worker.terminate()
    if (error !== null || ending !== 0) throw new Error(`remark-validate-links ended with ${error ?? ending}.`)
  })
}

function moduleOf(name: string): string {
  return pathToFileURL(createRequire(new URL('package.json', import.meta.url)).resolve(name)).href
}
