// The same line is the same page view: with and without a host, before and after the project has sites, and after an upgrade
// from a release whose ids of lines were others.

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { chrome, type Collecting, type Place, startCollecting } from '../support/collecting.ts'
import { runCommand } from '../support/command.ts'

let t: Collecting
let log = ''
before(async () => {
  t = await startCollecting()
  log = join(t.service.folder, 'access.log')
  await writeFile(log, lines.join(''))
})
after(() => t.close())

const day = new Date(Date.now() - 24 * 3_600_000)
const lines = Array.from({ length: 20 }, (_, n) => {
  const [, date, month, year] = /(\d+) (\w+) (\d+)/.exec(day.toUTCString()) ?? []
  const time = `${date}/${month}/${year}:10:00:0${n % 10} +0000`
  return `192.0.2.${n % 5} - - [${time}] "GET /page-${n % 4} HTTP/1.1" 200 5 "-" "${chrome}"\n`
})

async function createProject(): Promise<string> {
  const body = { name: 'Hosts', repository: t.service.repository }
  return (await t.asAdmin<{ id: string }>('POST', '/v1/projects', body)).id
}

const addSite = (id: string, host: string) =>
  t.asAdmin('POST', `/v1/projects/${id}/sites`, { name: host, origins: [`https://${host}`] })

const importLog = (id: string, ...options: readonly string[]) =>
  runCommand(['analytics', 'import', log, '--project', id, ...options], t.service.environment)

async function viewsAfter(id: string, ...options: readonly string[]): Promise<number> {
  const { code, stderr } = await importLog(id, ...options)
  assert.equal(code, 0, stderr)
  return (await t.views({ projectId: id, siteId: '' })).totals.total
}

test('a log has the same page views with and without a host, and with a site', async () => {
  const id = await createProject()
  assert.equal(await viewsAfter(id), 20)
  assert.equal(await viewsAfter(id, '--host', 'docs.example.com'), 20)
  await addSite(id, 'docs.example.com')
  assert.equal(await viewsAfter(id), 20)
  const other = await createProject()
  assert.equal(await viewsAfter(other, '--host', 'docs.example.com'), 20)
  assert.equal(await viewsAfter(other), 20)
})

test('a project with several sites needs the host, and each host has its page views', async () => {
  const id = await createProject()
  await addSite(id, 'docs.example.com')
  await addSite(id, 'blog.example.com')
  const { code, stderr } = await importLog(id)
  assert.notEqual(code, 0)
  assert.match(
    stderr,
    /lines of access\.log name no host, and the project has several sites: name the host with --host\./,
  )
  assert.equal(await viewsAfter(id, '--host', 'docs.example.com'), 20)
  assert.equal(await viewsAfter(id, '--host', 'blog.example.com'), 40)
  assert.equal(await viewsAfter(id, '--host', 'blog.example.com'), 40)
  assert.equal(await viewsAfter(id, '--host', 'docs.example.com'), 40)
})

/** As a release before line ids sent them. */
async function importAsBefore(place: Place, host: string | undefined): Promise<void> {
  const path = `/v1/analytics/${place.projectId}/imports`
  const body = { name: 'access.log', format: 'combined', fingerprint: `before ${host}` }
  const { id } = await t.asAdmin<{ id: string }>('POST', path, body)
  const suffix = host === undefined ? '' : `@${hash('sha256', host, 'base64url').slice(0, 8)}`
  const views = lines.map((line, n) => ({
    id: hash('sha256', line.trimEnd(), 'base64url').slice(0, 22) + suffix,
    timestamp: day.getTime() + n,
    path: `/page-${n % 4}`,
    userAgent: chrome,
  }))
  const { body: answer } = await t.record(place, views, {}, `?import=${id}`)
  assert.equal(answer.accepted, 20)
  await t.asAdmin('POST', `${path}/${id}/finish`)
}

test('page views that an earlier release imported are not stored again', async () => {
  for (const host of [undefined, 'docs.example.com']) {
    const projectId = await createProject()
    await importAsBefore({ projectId, siteId: '' }, host)
    assert.equal(await viewsAfter(projectId, '--host', 'docs.example.com'), 20)
    await addSite(projectId, 'docs.example.com')
    assert.equal(await viewsAfter(projectId), 20)
  }
})
