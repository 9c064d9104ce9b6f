// Properties of checks: a change that breaks a rule is found wherever it is, a harmless one is not, and a comparison says the
// same in both directions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { checkFiles, showFindings } from '../../test/support/check-files.ts'
import { pageNames } from '../../test/support/docs-layouts.ts'
import { docsSite, memoryTree, type DocsSite, markdownKinds } from '../../test/support/docs-sites.ts'
import { compareChecks } from './compare.ts'
import { type Finding, type FindingKind, findingKindNames } from './finding.ts'
import { rounds } from '../../test/support/rounds.ts'

type Edit = (text: string, word: string) => string

const insideText = (addition: (word: string) => string): Edit => {
  return (text, word) => text.replace('## Begin', `${addition(word)}\n\n## Begin`)
}

/** Each with the kind of problem that it brings to the page. */
const breaking: readonly (readonly [kind: FindingKind, edit: Edit])[] = [
  ['link', (text, word) => text.replace(/\]\([^#)]*\)/, `](./${word}.md)`)],
  ['link', insideText((word) => `See [it][${word}].\n\n[${word}]: /gone/${word}.html`)],
  ['anchor', insideText((word) => `[A](#gone-${word})`)],
  ['image', (text, word) => text.replace('logo.png', `${word}.png`)],
  ['frontmatter', (text, word) => text.replace(/title: .*/, `title: "${word}`)],
  ['frontmatter', (text, word) => text.replace(/title: .*/, `title: [${word}`)],
  ['markdown', (text, word) => `${text}\n~~~~\n${word}\n`],
  ['markdown', (text) => text.replace(/```\n$/, '')],
]
const harmless: readonly Edit[] = [
  insideText((word) => `Some ${word}, and a \`[${word}](gone.md)\`.`),
  insideText((word) => `## About ${word}\n\n[Up](#about-${word})`),
  insideText((word) => `~~~md\n[${word}](gone.md) ![](gone.png)\n~~~`),
  insideText((word) => `| ${word} | b |\n| - | - |\n| c | [d](https://example.com/${word}) |`),
  (text, word) => text.replace(/description: .*/, `description: ${word}`),
  (text) => text.replaceAll('\n', '\r\n'),
]

const places = { kind: fc.constantFrom(...markdownKinds), name: fc.constantFrom(...pageNames) }
const words = fc.stringMatching(/^[a-z]{4,9}$/).map((word) => `x${word}`)

test('a change that breaks a rule is found on its page', async () => {
  const changes = fc.record({ ...places, word: words, fault: fc.constantFrom(...breaking) })
  await fc.assert(
    fc.asyncProperty(changes, async ({ kind, name, word, fault: [found, edit] }) => {
      // A rooted address of a plain site may belong to a site that is elsewhere, and GitBook has pages of its own.
      fc.pre(!['plain', 'gitbook'].includes(kind) || !edit('## Begin', word).includes('/gone/'))
      const findings = await check(docsSite(kind), name, (text) => edit(text, word))
      const path = docsSite(kind).page(name)
      const isFound = findings.some((finding) => finding.kind === found && finding.path === path)
      assert.ok(isFound, `${kind} ${name} ${found}: ${showFindings(findings)}`)
    }),
    { numRuns: rounds(25) },
  )
})

test('a harmless change has no findings', async () => {
  const changes = fc.record({ ...places, word: words, edit: fc.constantFrom(...harmless) })
  await fc.assert(
    fc.asyncProperty(changes, async ({ kind, name, word, edit }) => {
      const findings = await check(docsSite(kind), name, (text) => edit(text, word))
      assert.deepEqual(findings, [], showFindings(findings))
    }),
    { numRuns: rounds(15) },
  )
})

test('a comparison finds in one direction what is fixed in the other', () => {
  const finding = fc.record({
    kind: fc.constantFrom(...findingKindNames.slice(0, 3)),
    path: fc.constantFrom('a', 'b', 'c'),
    line: fc.integer({ min: 1, max: 5 }),
    target: fc.constantFrom('x', 'y'),
    message: fc.constant('m'),
  })
  fc.assert(
    fc.property(fc.array(finding), fc.array(finding), (before, after) => {
      const [there, back] = [compareChecks(before, after), compareChecks(after, before)]
      assert.deepEqual(identities(there.introduced), identities(back.fixed))
      assert.deepEqual(identities(there.fixed), identities(back.introduced))
      assert.deepEqual(identities(there.remaining), identities(back.remaining))
      assert.equal(there.introduced.length + there.remaining.length, after.length)
    }),
  )
})

function identities(findings: readonly Finding[]): string[] {
  return findings.map(({ kind, path, target }) => `${kind} ${path} ${target}`).toSorted()
}

async function check(site: DocsSite, name: string, edit: (text: string) => string): Promise<readonly Finding[]> {
  const path = site.page(name)
  const before = site.files[path] ?? ''
  const after = edit(before)
  assert.notEqual(after, before)
  return (await checkFiles(memoryTree(site.files, { [path]: after }))).findings
}
