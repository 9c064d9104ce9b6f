// Measures how long the engine takes for 2,000 pages and a diff of 5,000 lines, with the facts of the pages in memory:
// `node bench/affected-speed.ts <folder of Markdown> [<clone>]`. The pages of the folder are repeated until there are 2,000; the diff
// is made of lines of the clone's files, or of the pages.

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findAffected } from '../src/affected/affected.ts'
import { readPage } from '../src/checks/facts/read-page.ts'
import { pageToRank } from '../src/checks/pages-to-rank.ts'
import { termsOf } from '../src/checks/facts/terms/page-terms.ts'
import { git } from './affected/history.ts'

const [pagesWanted, linesWanted, rounds] = [2_000, 5_000, 15]
const [folder, clone] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name a folder: node bench/affected-speed.ts <folder> [<clone>]')
const texts: string[] = []
for await (const path of glob('**/*.{md,mdx}', { cwd: folder, exclude: ['**/node_modules/**'] })) {
  if (texts.length < pagesWanted) texts.push(await readFile(join(folder, path), 'utf8'))
}
const facts = texts.map((text) => readPage('markdown', text))
if (facts.length === 0) throw new Error(`${folder} has no pages.`)
const pages = Array.from({ length: Math.ceil(pagesWanted / facts.length) }, () => facts)
  .flat()
  .slice(0, pagesWanted)
  .map((one, at) => ({ path: `docs/${at}.md`, facts: one }))
const lines = await readLines()
const patch = `diff --git a/src/a.ts b/src/a.ts\n@@ -1 +1 @@ run()\n${lines.map((line, at) => (at % 3 === 0 ? '-' : '+') + line).join('\n')}\n`
const change = {
  files: [{ path: 'src/a.ts', previousPath: null, status: 'modified' as const, patch }],
  messages: ['feat: change it'],
}
const history = Array.from({ length: 2_000 }, (_, at) => ({
  subject: `fix: change ${at}`,
  paths: ['src/a.ts', `src/${at}.ts`, `docs/${at}.md`],
}))
const all: number[] = []
for (let round = 0; round < rounds; round += 1) {
  const began = cpuMs()
  const named = pages.map(({ path, facts: one }) => pageToRank(path, one))
  findAffected({ change, pages: named, history, mode: 'beside' })
  all.push(cpuMs() - began)
}
const count = pages.reduce((sum, { facts: one }) => sum + termsOf(one).length, 0)
console.log(`${pages.length} pages with ${count} terms, ${lines.length} lines, ${history.length} commits`)
console.log(
  `first ${all[0]?.toFixed(0)} ms, least ${Math.min(...all).toFixed(0)} ms, median ${median(all)} ms of CPU, with the terms from the facts`,
)

async function readLines(): Promise<string[]> {
  const text =
    clone === undefined
      ? texts.join('\n')
      : (await git(clone, 'log', '-p', '-n', '40', '--format=', 'HEAD')).toString('utf8')
  return text
    .split('\n')
    .filter((line) => line.length > 10)
    .map((line) => line.replace(/^[+-]/, ''))
    .slice(0, linesWanted)
}

/** CPU time of this thread: other work on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function median(values: readonly number[]): string {
  return (values.toSorted((a, b) => a - b)[rounds >> 1] ?? 0).toFixed(0)
}
