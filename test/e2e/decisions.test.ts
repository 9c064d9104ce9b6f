// All decisions have the format that docs/decisions/README.md describes, and are in its list.

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../docs/decisions/', import.meta.url))
const list = readFileSync(`${folder}README.md`, 'utf8')
const files = globSync('[0-9]*.md', { cwd: folder }).toSorted()

/** Names of one thing: a page uses the first. */
const otherNames: Readonly<Record<string, string>> = {
  'Other ways': 'Not taken',
  Decided: 'Decision',
  Status: 'Replaced',
}
const results = ['Reasons', 'Seen', 'Consequences', 'Limits', 'Costs', 'Not taken']

/** Says how the page of a file differs from the format. */
function findFaults(file: string, page: string): readonly string[] {
  const number = Number(file.slice(0, 4))
  const title = new RegExp(`^# ${number}\\. (.+)\n\n`).exec(page)?.[1]
  const parts = [...page.matchAll(/^\*\*([A-Z][^.*]*)\.\*\*/gm)].map(([, name = '']) => name)
  const own = parts.filter((name) => name !== 'Replaced')
  return [
    ...(title === undefined ? [`does not begin with "# ${number}. Title"`] : []),
    ...(list.includes(`\n${number}. [${title}](${file})\n`) ? [] : ['is not in the list under its title']),
    ...(/^##|^Status:/m.test(page) ? ['has a heading or a status instead of a bold name'] : []),
    ...(own[0] === 'Context' ? [] : ['does not begin with its context']),
    ...(own[1] === 'Decision' ? [] : ['does not continue with its decision']),
    ...(own.some((name) => results.includes(name)) ? [] : ['says nothing about reasons and results']),
    ...own.flatMap((name) => (otherNames[name] ? [`has ${name} instead of ${otherNames[name]}`] : [])),
  ]
}

test('each decision has the one format', () => {
  assert.ok(files.length >= 37)
  for (const file of files) assert.deepEqual(findFaults(file, readFileSync(folder + file, 'utf8')), [], file)
  assert.equal(list.match(/^\d+\. \[/gm)?.length, files.length)
})

test('a decision in another format is found', () => {
  const [file = ''] = files
  const page = readFileSync(folder + file, 'utf8')
  const planted: readonly (readonly [from: RegExp | string, to: string, faults: number])[] = [
    ['# 1. ', '# 2. ', 2],
    ['# 1. Runs', '# 1. Walks', 1],
    [/\*\*Consequences\.\*\*/, '## Consequences', 2],
    ['**Context.** ', '', 2],
    ['**Consequences.**', '**Other ways.**', 2],
  ]
  for (const [from, to, faults] of planted) {
    assert.equal(findFaults(file, page.replace(from, to)).length, faults, String(from))
  }
})
