// Pages that are made to take long, or to hide something from a reader of text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changeContent } from '../../../../test/support/content-change.ts'
import { assertLinear } from '../../../../test/support/linear.ts'
import { memoryTree } from '../../../../test/support/memory-tree.ts'
import { createMemoryWorkspace } from '../../../../test/support/memory-workspace.ts'
import { EditRefused } from '../../../agent/refused-edit.ts'
import { guardWorkspace } from '../guard.ts'
import { policyOf } from '../judge-edits.ts'
import { findRefusedContent } from './judge-content.ts'
import { readText } from './read/read-content.ts'
import { createSyntaxThreads } from './read/threads.ts'

const units = [
  '<a b="',
  '<a b=\'"',
  '<a/b=c',
  '<a\n',
  '<é:script ',
  '<x y=1/<z/',
  '{{ ',
  '{% raw %}',
  '&Tab;',
  ']: ',
  '<',
  '< ',
  '<script ',
  '<script>',
  '<a ',
  '<iframe "',
  '<!--',
  '](',
  '![',
  '![a][b] ',
  '[a]: b\n',
  '[',
  '=',
  'a=',
  'onclick=',
  'a={',
  'a="{',
  '{',
  '"',
  "'\\",
  '&#x',
  'url(',
  '@import ',
  'import ',
  'http://a.b ',
  'http://a.b/',
  'www.a',
  'a.',
  '---\n',
  'redirect',
  ':redirect: //a\n',
  'redirect: //a\n',
  'aaaa',
  '    ',
  '\n',
]

test('reading a text takes linear time, whatever it repeats', () => {
  for (const unit of units) {
    const makeInput = (size: number) => unit.repeat(Math.ceil(size / unit.length))
    const work = (text: string) => readText({ path: 'a.mdx', text, kind: 'mdx', templates: ['vue'], dialects: [] })
    assertLinear(makeInput, work, { size: 80_000, name: JSON.stringify(unit) })
  }
})

test('no text before or after it hides a script, a handler or an address', async () => {
  const part = fc.oneof(
    fc.constantFrom(
      '\n\n',
      '\n',
      ' ',
      '<!--',
      '-->',
      '<div>',
      '"',
      "'",
      '`',
      '> ',
      '- ',
      '    ',
      '!!! note\n\n',
      '{',
      '}',
      '| ',
    ),
    fc.constantFrom(
      'text',
      '# A',
      '[a](b)',
      '***',
      '\\',
      '&',
      '</p>',
      '<p title="',
      '\t',
      '\r\n',
      '~',
      ':::',
      '$$',
      '[x]: ',
    ),
  )
  const harms = ['<script>x()</script>', '<img src=x onerror=x()>', '<a href="javascript:x()">', '[a](javascript:x)']
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.array(part, { maxLength: 4 }), async (before, after) => {
      for (const harm of harms) {
        // A code span or a quoted word is code for readers only if a mark of code precedes it.
        const text = `${before.join('')}\n\n${harm}\n\n${after.join('')}`
        const isIndented = /(?: {4}|\t)\s*$/.test(before.join(''))
        const found = await findRefusedContent(
          changeContent({}, { 'a.html': text, ...(isIndented ? {} : { 'b.md': text }) }),
        )
        const paths = new Set(found.map(({ path }) => path))
        assert.deepEqual([...paths], isIndented ? ['a.html'] : ['a.html', 'b.md'], JSON.stringify(text))
      }
    }),
    { numRuns: 200 },
  )
})

test('a page that a thread cannot parse is content as a whole', async (t) => {
  const threads = createSyntaxThreads()
  t.after(() => threads.close())
  const fence = '```html\n<script>x()</script>\n```\n'
  const nested = `${'> '.repeat(10_000)}a\n\n${'{'.repeat(10_000)}\n\n${'<a>'.repeat(10_000)}\n`
  const read = (text: string, isMdx: boolean) =>
    threads.read({
      path: isMdx ? 'a.mdx' : 'a.md',
      text,
      kind: isMdx ? 'mdx' : 'markdown',
      templates: [],
      dialects: [],
    })
  assert.deepEqual((await read(fence, false)).code, [{ start: 0, end: fence.length - 1 }])
  assert.deepEqual((await read(`${fence}${nested}`, false)).code, [])
  const { code, signs } = await read(`${fence}\n{run()}\n${nested}`, true)
  assert.deepEqual(code, [])
  const runs = signs.filter(({ kind }) => kind === 'code')
  const keys = runs.map(({ key }) => key)
  assert.ok(keys.includes('unread') && keys.includes('loose {run()}'), keys.join())
  assert.ok(signs.some(({ what }) => what === 'a script'))
})

/**
 * The time of this thread: a busy machine does not change it, and no answer waits longer for its work. The time of the kernel is left
 * out: it is that of new pages of memory, which some virtual machines take long to give. The fastest of five counts.
 */
async function fastest(work: () => Promise<void>): Promise<number> {
  let best = Infinity
  for (let round = 0; round < 5 && best > 80; round += 1) {
    const start = process.threadCpuUsage()
    await work()
    best = Math.min(best, process.threadCpuUsage(start).user / 1_000)
  }
  return best
}

/** They take the longest to read, of those that were tried. */
const worst = ['<script', '<iframe src="<iframe', 'a="', '<x y=1/<z/', 'x\n']

test('no write keeps the service from answering for a tenth of a second', async (t) => {
  const threads = createSyntaxThreads()
  t.after(() => threads.close())
  const base = { ...memoryTree({ 'a.md': '' }), commit: 'base' }
  const policy = policyOf({ path_policy: '{}' })
  const judging = { policy, base, reading: threads.read, signal: AbortSignal.timeout(600_000) }
  const workspace = guardWorkspace(createMemoryWorkspace({ 'a.md': '' }), judging)
  const write = async (text: string) => {
    const bytes = new TextEncoder().encode(text)
    await workspace.write('a.md', bytes).catch((error: unknown) => assert.ok(error instanceof EditRefused))
  }
  await write('<a href="#b">')
  // On a slow machine, plain words take longer, too.
  const words = 'plain words of a page. '
  const limit = Math.max(100, 12 * (await fastest(() => write(words.repeat(490_000 / words.length)))))
  for (const unit of worst) {
    for (const size of [490_000, 10_000]) {
      const ms = await fastest(() => write(unit.repeat(size / unit.length)))
      assert.ok(ms < limit, `${JSON.stringify(unit)} × ${size}: ${ms} ms, at most ${limit}`)
    }
  }
})
