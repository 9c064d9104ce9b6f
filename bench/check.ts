// Measures a check of a documentation site: the first one, one after ten edits, and the first one after a restart, beside
// plain parsing of the same pages and beside remark-validate-links, which checks links and anchors of Markdown. Install it first with
// `npm ci --prefix bench`, then run `node bench/check.ts [pages] [folders of 50 for remark-validate-links]`.

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
const folder = await mkdtemp(join(tmpdir(), 'docent-bench-check-'))
const pages = Array.from({ length: count }, (_, at) => ({ path: pathOf(at), text: pageText(at) }))
await writeSite()
const otherFiles = Array.from({ length: otherFolders }, (_, at) => `docs/part-${at}`)
const otherCount = pages.filter(({ path }) => otherFiles.some((one) => path.startsWith(`${one}/`))).length
const bytes = pages.reduce((sum, { text }) => sum + text.length, 0)
console.log(`${count} pages of Markdown, ${(bytes / 1e6).toFixed(1)} MB, 20 links each`)

const facts = createFactsReader(2)
const first = await measure('first check, two threads', () => check({ progress: true }))
await Promise.all(pages.slice(0, 10).map(({ path, text }) => writeFile(join(folder, path), `${text}\nMore.\n`)))
const tree = await openFolder(folder, undefined)
const second = await measure('check after ten edits', () => check({ tree, previous: first.result }))
await Promise.all(pages.slice(10, 20).map(({ path, text }) => writeFile(join(folder, path), `${text}\nMore.\n`)))
const edited = await openFolder(folder, undefined)
const third = await measure('check after ten more', () => check({ tree: edited, previous: second.result }))
await facts.close()
const restarted = createFactsReader(2)
const warm = await measure('first check after a restart', () => check({ tree: edited, reader: restarted }))
await restarted.close()
const parsing = await measure('plain parsing, one thread', () => {
  for (const { path, text } of pages) parsePage(path, text)
  return Promise.resolve()
})
const other = await measureOther()
await rm(folder, { recursive: true })
console.log(`first check / plain parsing          ${(first.ms / parsing.ms).toFixed(2)}`)
if (other !== undefined) {
  const perPage = other.ms / otherCount
  console.log(`remark-validate-links, a page        ${perPage.toFixed(1)} ms`)
  console.log(`first check / that, a page           ${(first.ms / count / perPage).toFixed(2)}`)
}
console.log(`after a restart / first check         ${(warm.ms / first.ms).toFixed(2)}`)
console.log(
  `after ten edits / plain parsing       ${(second.ms / parsing.ms).toFixed(4)}, ${(third.ms / parsing.ms).toFixed(4)}`,
)

async function writeSite(): Promise<void> {
  for (let at = 0; at < folders; at += 1) await mkdir(join(folder, 'docs', `part-${at}`), { recursive: true })
  await Promise.all(pages.map(({ path, text }) => writeFile(join(folder, path), text)))
  await writeFile(join(folder, 'mkdocs.yml'), 'site_name: Bench\n')
}

function pathOf(at: number): string {
  return `docs/part-${at % folders}/page-${at}.md`
}

/** About 2.5 kB, as half of the pages of public documentation have. */
function pageText(at: number): string {
  const sections = Array.from({ length: 5 }, (_, section) => {
    const links = Array.from({ length: 4 }, (_unused, link) => {
      const other = (at * 7 + section * 11 + link * 13) % count
      return `[page ${other}](../part-${other % folders}/page-${other}.md#section-${link})`
    })
    const words = 'Each plant in the garden has its own place, and the service waters it. '.repeat(3)
    return `## Section ${section}\n\n${words}See ${links.join(', ')}.\n\n\`\`\`sh\nacme water --plant ${at}\n\`\`\`\n`
  })
  return `---\ntitle: Page ${at}\n---\n\n# Page ${at}\n\n${sections.join('\n')}`
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

async function measure<Result>(what: string, work: () => Promise<Result>) {
  const began = performance.now()
  const cpu = process.cpuUsage()
  const result = await work()
  const ms = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  console.log(`${what.padEnd(36)} ${ms.toFixed(0).padStart(8)} ms, ${((user + system) / 1_000).toFixed(0)} ms of CPU`)
  return { ms, result }
}

/** In a thread, so that it shares no modules with this process. Undefined if it is not installed. */
async function measureOther() {
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
