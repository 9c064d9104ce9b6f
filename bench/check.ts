// Measures a check of a documentation site: the first one, one after ten edits, and the first one after a restart, beside
// plain parsing of the same pages and beside remark-validate-links, which checks links and anchors of Markdown. Install it first with
// `npm ci --prefix bench`, then run `node bench/check.ts [pages]`.

import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { checkTree } from '../src/checks/check-tree.ts'
import { createFactsReader, type FactsReader } from '../src/checks/facts/reader.ts'
import { openFolder } from '../src/cli/check/folder.ts'
import { parsePage } from '../src/docs-syntax/markdown.ts'

const count = Number(process.argv[2] ?? 5_000)
const folders = 50
const folder = await mkdtemp(join(tmpdir(), 'docent-bench-check-'))
const pages = Array.from({ length: count }, (_, at) => ({ path: pathOf(at), text: pageText(at) }))
await writeSite()
const bytes = pages.reduce((sum, { text }) => sum + text.length, 0)
console.log(`${count} pages of Markdown, ${(bytes / 1e6).toFixed(1)} MB, 20 links each`)

const facts = createFactsReader(2)
const first = await measure('first check, two threads', () => check('progress'))
await Promise.all(pages.slice(0, 10).map(({ path, text }) => writeFile(join(folder, path), `${text}\nMore.\n`)))
const tree = await openFolder(folder, undefined)
const second = await measure('check after ten edits', () => check('silent', tree))
await facts.close()
const restarted = createFactsReader(2)
const warm = await measure('first check after a restart', () => check('silent', tree, restarted))
await restarted.close()
const parsing = await measure('plain parsing, one thread', () => {
  for (const { path, text } of pages) parsePage(path, text)
  return Promise.resolve()
})
const other = await measureOther()
await rm(folder, { recursive: true })
console.log(`first check / plain parsing          ${(first / parsing).toFixed(2)}`)
if (other !== undefined) console.log(`first check / remark-validate-links  ${(first / other).toFixed(2)}`)
console.log(`after a restart / first check         ${(warm / first).toFixed(2)}`)
console.log(
  `check after ten edits                ${second.toFixed(0)} ms, ${((1000 * second) / count).toFixed(0)} µs a page`,
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

async function check(
  progress: 'progress' | 'silent',
  given?: Awaited<ReturnType<typeof openFolder>>,
  reader: FactsReader = facts,
): Promise<void> {
  const onProgress = (done: number, total: number) => {
    if (process.stderr.isTTY && done % 100 === 0) process.stderr.write(`\r${done} of ${total}\u001b[K`)
  }
  const tree = given ?? (await openFolder(folder, undefined))
  const { signal } = new AbortController()
  const { findings } = await reader.keptIn(join(folder, '.facts'), (kept) =>
    checkTree(tree, { facts: kept, signal, ...(progress === 'progress' ? { onProgress } : {}) }),
  )
  if (findings.length > 0) throw new Error(`The site of the bench has a fault: ${JSON.stringify(findings[0])}`)
}

async function measure(what: string, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  const ms = performance.now() - began
  console.log(`${what.padEnd(36)} ${ms.toFixed(0).padStart(8)} ms`)
  return ms
}

/** In a thread, so that it shares no modules with this process. Undefined if it is not installed. */
async function measureOther(): Promise<number | undefined> {
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
      processor: remark(), cwd: ${JSON.stringify(folder)}, files: ['docs'], extensions: ['md'], quiet: true,
      output: false, out: false, streamError: new PassThrough().resume(), streamOut: new PassThrough().resume(),
      plugins: [[validateLinks, { repository: false, root: ${JSON.stringify(folder)} }]],
    }
    engine(options, (error, code) => parentPort.postMessage({ error: error ? String(error) : null, code }))
  `
  return await measure('remark-validate-links, one thread', async () => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`))
    const [{ error, code: ending }] = (await once(worker, 'message')) as [{ error: string | null; code: number }]
    await worker.terminate()
    if (error !== null || ending !== 0) throw new Error(`remark-validate-links ended with ${error ?? ending}.`)
  })
}

function moduleOf(name: string): string {
  return pathToFileURL(createRequire(new URL('package.json', import.meta.url)).resolve(name)).href
}
