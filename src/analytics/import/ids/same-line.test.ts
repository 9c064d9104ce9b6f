// The same line is the same page view, in whichever log and with whichever host it is read.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createImportStore, line, run, writeLog } from '../../../../test/support/import-store.ts'
import { removeFolder, temporaryFolder } from '../../../../test/support/temporary.ts'
import type { ImportedLog } from '../port.ts'
import type { LineFacts } from './line-facts.ts'

let folder: string
before(async () => void (folder = await temporaryFolder('same-line')))
after(() => removeFolder(folder))

const write = (content: string) => writeLog(folder, content)

const rotated: readonly (readonly [name: string, logs: readonly string[], views: number])[] = [
  ['a run that a rotation divided', ['axx', 'xxxy'], 7],
  ['a log that is nothing but the run', ['xx', 'xxxy'], 6],
  ['a run over three logs', ['ax', 'xxx', 'xb'], 7],
  ['a copy', ['axxb', 'axxb'], 4],
  ['a copy that grew', ['axx', 'axxxb'], 5],
  ['an overlap that begins earlier', ['Axxx', 'Axxxx'], 5],
  ['a copy of a run with a picture', ['xx.', 'xx.x'], 3],
]

for (const [name, logs, expected] of rotated) {
  test(`logs of one import: ${name}`, async () => {
    const { port, views } = createImportStore()
    const paths = await Promise.all(logs.map((log) => write(toLog(log))))
    for (let round = 0; round < 2; round += 1) {
      const rotation = { end: undefined }
      const runs = []
      for (const path of paths) runs.push(await run(path, port, { rotation }))
      for (const { finish } of runs) await finish()
      assert.equal(views.size, expected, `round ${round}`)
    }
    await (await run(paths.at(-1) ?? '', port)).finish()
    assert.equal(views.size, expected, 'the last log again, alone')
  })
}

test('a run is counted on after a log that was read before a stop', async () => {
  const { port, views } = createImportStore()
  const paths = await Promise.all(['axx', 'xxxy'].map((log) => write(toLog(log))))
  await run(paths[0] ?? '', port)
  const rotation = { end: undefined }
  for (const path of paths) await run(path, port, { rotation })
  assert.equal(views.size, 7)
})

/** A line for each letter; those in upper case come a second earlier. A dot is a line that is no page view. */
function toLog(letters: string): string {
  const pathOf = (letter: string) => (letter === '.' ? '/a.png' : `/${letter}`)
  return Array.from(letters, (letter) => line(pathOf(letter), /[A-Z]/.test(letter) ? 4 : 5)).join('')
}

test('lines without a host get that of the service, and others keep theirs', async () => {
  const { port, views } = createImportStore(undefined, { host: 'docs.example.com' })
  const path = await write(`${line('/a')}other.example.com:443 ${line('/b')}`)
  await run(path, port)
  const urls = [...views.values()].map(({ url }) => url)
  assert.deepEqual(urls, ['https://docs.example.com/a', 'https://other.example.com:443/b'])
})

test('lines without a host are refused where the project has several sites', async () => {
  const { port, views, imports } = createImportStore(undefined, { needsHost: true })
  const message = /name no host, and the project has several sites: name the host with --host\.$/
  await assert.rejects(run(await write(line('/a')), port), { code: 'invalid_input', message })
  assert.ok(imports.every(({ isOpen }) => !isOpen))
  const mixed = await run(await write(`docs.example.com:443 ${line('/a')}${line('/b')}${line('/c.png')}`), port)
  assert.deepEqual(
    mixed.summary.rejected.map(({ reason, count }) => [reason, count]),
    [
      ['no_host', 1],
      ['not_a_page', 1],
    ],
  )
  assert.equal(views.size, 1)
})

test('the same line under another host is another page view, unless it has a host', async () => {
  const { port, views } = createImportStore()
  const other = { ...port, begin: async (log: ImportedLog) => addScope(await port.begin(log), 'b.example.com') }
  const path = await write(`${line('/a')}docs.example.com:443 ${line('/b')}`)
  for (const one of [port, other, port, other]) await (await run(path, one)).finish()
  assert.equal(views.size, 3)
})

function addScope<Begun extends { readonly lines: LineFacts }>(begun: Begun, host: string): Begun {
  return { ...begun, lines: { ...begun.lines, host, idScope: host } }
}

test('page views of days with older ids are compared with those, too', async () => {
  const facts = { host: 'docs.example.com', olderDays: { from: '2026-11-21', to: '2026-11-21' } }
  const { port, views } = createImportStore(undefined, facts)
  const [bare, hosted] = [line('/a'), line('/b')].map((one) => hash('sha256', one.trimEnd(), 'base64url').slice(0, 22))
  const suffix = `@${hash('sha256', 'docs.example.com', 'base64url').slice(0, 8)}`
  const view = { timestamp: 0, path: '/a' }
  views.set(bare ?? '', view)
  views.set(`${bare}-1`, view)
  views.set(`${hosted}${suffix}`, view)
  const next = line('/b').replace('21/Nov', '22/Nov')
  await run(await write(line('/a').repeat(3) + line('/b').repeat(2) + next), port)
  assert.equal(views.size, 6)
  assert.deepEqual(
    [...views.values()].flatMap(({ sameAs }) => sameAs ?? []),
    [`${bare}-2`, `${bare}-2${suffix}`, `${hosted}-1`, `${hosted}-1${suffix}`],
  )
})
