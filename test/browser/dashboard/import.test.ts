// The import page: the log of a server behind a proxy, the hint about its address, and logs that are compressed.

import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { zstdCompressSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { assertBothThemes, type Dashboard, openDashboard } from './open.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'

suite('the import page', () => {
  let t: Dashboard
  let page: Page
  before(async () => {
    t = await openDashboard({ 'index.md': '# Home\n' })
    page = await t.open(`/projects/${t.client.projectId}/visitors/import`)
  })
  after(async () => {
    await page.close()
    await t.close()
  })

  const counts = () =>
    page.evaluate<readonly number[]>(`Promise.all(['views', 'visitors'].map((name) =>
      fetch('/v1/analytics/${t.client.projectId}/' + name).then((found) => found.json()).then((found) => found.totals.total)))`)

  const choose = async (content: string | Buffer) => {
    await page
      .getByLabel('Logs')
      .setInputFiles({ name: 'proxy.log', mimeType: 'text/plain', buffer: Buffer.from(content) })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
  }
  const importLog = async (content: string | Buffer) => {
    await choose(content)
    await page.getByText('The import is done.').waitFor()
  }

  test('readers behind a proxy are one visitor, and a hint names the choice that helps', async () => {
    await importLog(logOf('a', (reader) => ` 0.1 "${reader}"`))
    assert.deepEqual(await counts(), [25, 1])
    const hint = page.getByText(/^25 of 25 page views came from 10\.0\.0\.5, a private address: it may be your proxy/)
    assert.match(await hint.innerText(), /import with “Address from: A field of the line” if/)
    await assertBothThemes(page, 'a hint about a proxy')
  })

  test('the address comes from X-Forwarded-For, or from a field of the line', async () => {
    const [views = 0, visitors = 0] = await counts()
    await page.getByLabel('Address from').selectOption('X-Forwarded-For')
    await page.getByLabel('Trusted hops').fill('2')
    await importLog(logOf('b', (reader) => ` "1.1.1.1, ${reader}, 10.0.0.6"`))
    assert.deepEqual(await counts(), [views + 25, visitors + 5])
    assert.equal(await page.getByText('a private address').count(), 0)
    await page.getByLabel('Address from').selectOption('A field of the line')
    await page.getByLabel('Trusted hops').fill('1')
    await page.getByLabel('Field').fill('11')
    await assertBothThemes(page, 'an import with a field')
    await importLog(logOf('c', (reader) => ` 0.1 "${reader.replace('.', '1.')}"`))
    assert.deepEqual(await counts(), [views + 50, visitors + 10])
  })

  test('a log that is packed with zstd is read, and an archive is refused', async () => {
    const [views = 0] = await counts()
    const parts = [logOf('e', () => ' 0.1 "20.0.113.1"'), logOf('f', () => ' 0.1 "20.0.113.2"')]
    await importLog(Buffer.concat(parts.map((part) => zstdCompressSync(part))))
    assert.equal((await counts())[0], views + 50)
    await choose(Buffer.from('fd377a585a000004', 'hex'))
    await page.getByRole('alert').getByText('proxy.log is compressed with xz: decompress it first.').waitFor()
  })

  test('a field that no line can have is refused', async () => {
    await page.getByLabel('Field').fill('user')
    await choose(logOf('d', () => ''))
    const words =
      'proxy.log has the format combined, whose fields have positions: give a number from 1 to 999, not user.'
    await page.getByRole('alert').getByText(words).waitFor()
    assert.deepEqual(t.reports(), [])
  })

  test('the share that is probably automated is beside the humans, also in a shared link', async () => {
    await page.getByLabel('Address from').selectOption('The connection')
    const people = Array.from({ length: 20 }, (_, n) => lineOf(`30.0.0.${n}`, '/a') + lineOf(`30.0.0.${n}`, '/a.css'))
    const program = Array.from({ length: 10 }, (_, n) => lineOf('30.0.1.1', `/p-${n}`))
    await importLog([...people, ...program].join(''))
    await page.getByText('Probably automated:').waitFor()
    await page.getByRole('link', { name: 'Visitors', exact: true }).first().click()
    const words =
      /^In imported logs, \d+ of \d+ page views with the user agent of a browser \(\d+ %\) are probably automated; they count as humans\.$/
    await page.getByText(words).waitFor()
    await assertBothThemes(page, 'the automated share beside the humans')
    const link = await page.evaluate<string>(`fetch('/v1/projects/${t.client.projectId}/shares', { method: 'POST',
      headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name: 'Team' }) })
      .then((made) => made.json()).then((made) => made.link)`)
    const shared = await page.context().newPage()
    await shared.goto(link)
    await shared.getByText(words).waitFor()
    await shared.close()
    await page.goto(`${new URL(page.url()).origin}/projects/${t.client.projectId}/visitors/import`)
    assert.deepEqual(t.reports(), [])
  })

  test('a log of HAProxy is read by the headers and in the zone that are given', async () => {
    const [views = 0, visitors = 0] = await counts()
    await page.getByLabel('Address from').selectOption('The connection')
    assert.equal(await page.getByLabel('Fields').count(), 0)
    await page.getByLabel('Format').fill('haproxy')
    await page.getByLabel('Fields').fill('user_agent=x')
    await choose(haproxyLog())
    await page
      .getByRole('alert')
      .getByText('user_agent has the place x, which is not a number: “Fields” takes')
      .waitFor()
    await page.getByLabel('Fields').fill('user_agent=1')
    await page.getByLabel('Time zone').fill('Etc/GMT+1')
    await assertBothThemes(page, 'an import with named fields')
    await importLog(haproxyLog())
    await page.getByText('Times in the lines of haproxy have no zone and are read as Etc/GMT+1; “Time zone”').waitFor()
    assert.deepEqual(await counts(), [views + 25, visitors + 5])
    await page.getByLabel('Format').fill('combined')
    assert.equal(await page.getByLabel('Time zone').count(), 0)
    assert.deepEqual(t.reports(), [])
  })

  test('the export of GoatCounter is read like a log, and its import is undone', async () => {
    const [views = 0, visitors = 0] = await counts()
    await page.getByLabel('Format').fill('')
    const heading = '2Path,Title,Event,Session,Bot,Referrer,Referrer scheme,Date'
    const hits = ['aa', 'aa', 'bb'].map((session, n) => `/gc-${n},T,false,${session},0,,,${dayOf(0)}T00:00:00Z`)
    await importLog([heading, ...hits].join('\n'))
    assert.deepEqual(await counts(), [views + 3, visitors + 2])
    await page.reload()
    const files = page.getByRole('list', { name: 'Imported files' })
    await files.getByText(`GoatCounter: 3 page views, ${dayOf(0)} to ${dayOf(0)}`).waitFor()
    await assertBothThemes(page, 'the files of other tools')
    await page.getByRole('button', { name: 'Delete proxy.log' }).click()
    await page.getByRole('button', { name: 'Delete now' }).click()
    await files.waitFor({ state: 'detached' })
    assert.deepEqual(await counts(), [views, visitors])
  })

  test('daily sums of another tool are on the chart until the first day measured here', async () => {
    const before = await counts()
    const sums = [3, 2, 0].map((ago) => ({ date: dayOf(ago), visitors: 41 + ago, pageViews: 99 }))
    const body = JSON.stringify({ source: 'plausible', name: 'visitors.csv', fingerprint: 'a', sums })
    const status = await page.evaluate<number>(`fetch('/v1/analytics/${t.client.projectId}/histories', { method: 'POST',
      headers: { 'Content-Type': 'application/json' }, body: ${JSON.stringify(body)} }).then((made) => made.status)`)
    assert.equal(status, 200)
    const address = new URL(page.url()).origin
    await page.goto(`${address}/projects/${t.client.projectId}/visitors?range=7d`)
    await page.getByText('Plausible, not added to visitors').waitFor()
    const chart = page.getByRole('slider', { name: 'Visitors by day' })
    await chart.focus()
    const seen: string[] = []
    for (const key of ['Home', ...Array.from({ length: 6 }, () => 'ArrowRight')]) {
      await page.keyboard.press(key)
      seen.push((await chart.getAttribute('aria-valuetext')) ?? '')
    }
    assert.deepEqual(
      seen.map((text) => /: (\d+) people in Plausible, nothing measured here$/.exec(text)?.[1]),
      [undefined, undefined, undefined, '44', '43', undefined, undefined],
    )
    await assertBothThemes(page, 'daily sums behind the chart')
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('cell', { name: 'Plausible: 44' }).waitFor()
    await page.goto(`${address}/projects/${t.client.projectId}/visitors?range=12m`)
    await page.getByText('Plausible has daily sums of this range. People of several days cannot be added').waitFor()
    assert.deepEqual(await counts(), before)
    assert.deepEqual(t.reports(), [])
  })
})

const dayOf = (ago: number) => new Date(now - ago * 86_400_000).toISOString().slice(0, 10)

/** On a clock that is an hour late. */
function haproxyLog(): string {
  const hour = 3_600_000
  const [, day, month, year, time] = /(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(now - hour).toUTCString()) ?? []
  const lines = Array.from({ length: 25 }, (_, n) => {
    const client = `198.51.100.${n % 5}:40${n} [${day}/${month}/${year}:${time}.000]`
    return `${client} fe be/s 0/0/1/1/2 200 5 - - ---- 1/1/0/0/0 0/0 {${chrome}} "GET /h-${n} HTTP/1.1"\n`
  })
  return lines.join('')
}

const now = Date.now()

function lineOf(address: string, path: string): string {
  const [, day, month, year, time] = /(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(now).toUTCString()) ?? []
  return `${address} - - [${day}/${month}/${year}:${time} +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${chrome}"\n`
}

/** Five views of each of five readers. */
function logOf(name: string, end: (reader: string) => string): string {
  const [, day, month, year, time] = /(\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(now).toUTCString()) ?? []
  const lines = Array.from({ length: 25 }, (_, n) => {
    const request = `"GET /${name}-${n} HTTP/1.1" 200 5 "-" "${chrome}"`
    return `10.0.0.5 - - [${day}/${month}/${year}:${time} +0000] ${request}${end(`20.0.113.${n % 5}`)}\n`
  })
  return lines.join('')
}
