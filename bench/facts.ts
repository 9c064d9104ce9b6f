// Compares the pages of a folder as `parsePage` reads them with remark's: `node bench/facts.ts <folder>`. Facts are a function
// of a page and its text, so equal pages have equal facts. Prints every page that differs, and the CPU time of both.

import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { readPlainMdx } from '../src/docs-syntax/commonmark/commonmark.ts'
import { parsePage } from '../src/docs-syntax/markdown.ts'
import { readWithRemark, toComparable } from '../test/support/remark-page.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Name a folder: node bench/facts.ts <folder>')
const counts = { pages: 0, characters: 0, left: 0, different: 0, explained: 0 }
const ms = { reader: 0, remark: 0 }
for await (const path of glob('**/*.{md,mdx,markdown}', { cwd: folder, exclude: ['**/node_modules/**'] })) {
  const text = (await readFile(join(folder, path), 'utf8').catch(() => '')).replace(/^\uFEFF/, '')
  const name = path.endsWith('.mdx') ? 'a.mdx' : 'a.md'
  counts.pages += 1
  counts.characters += text.length
  if (name === 'a.mdx' && readPlainMdx(text) === undefined) {
    counts.left += 1
    continue
  }
  const page = measure('reader', () => parsePage(name, text))
  const other = measure('remark', () => readWithRemark(name, text))
  if (!other || page.syntax === 'lines') continue
  if (isDeepStrictEqual(toComparable(page, text), toComparable(other.page, text))) continue
  counts[other.known === undefined ? 'different' : 'explained'] += 1
  console.log(`${path}: ${other.known ?? 'differs'}`)
}
const { pages, characters, left, different, explained } = counts
const compared = pages - left
console.log(
  `${pages} pages, ${(characters / 1e3 / Math.max(1, pages)).toFixed(1)} kB each; ${left} of MDX are left to remark`,
)
console.log(`${different} differ, ${explained} differ for a known reason`)
console.log(
  `reader ${perPage('reader')}, remark ${perPage('remark')}, ${(ms.remark / ms.reader).toFixed(1)} times as long`,
)

function perPage(name: keyof typeof ms): string {
  return `${(ms[name] / Math.max(1, compared)).toFixed(2)} ms a page`
}

function measure<Result>(name: keyof typeof ms, work: () => Result): Result {
  const began = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(began)
  ms[name] += (user + system) / 1_000
  return result
}
