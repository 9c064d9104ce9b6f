import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import { expectProblem, openTestApp, type TestApp } from '../../../../test/support/openapi-app.ts'
import { readProjects } from '../../../cli/api/projects.ts'
import { createId } from '../../../lib/id.ts'
import type { Project, ProjectPage } from '../../../projects/projects.ts'

suite('the list of projects', () => {
  let t: TestApp
  let all: readonly Project[]

  const list = async (query: string, key = t.keys.admin) =>
    (await (await t.call(`/v1/projects${query}`, { key })).json()) as ProjectPage
  const idsOf = (projects: readonly Project[]) => projects.map(({ id }) => id)

  before(async () => {
    t = await openTestApp()
    // Equal names: the id decides.
    const now = new Date()
    const rows = Array.from({ length: 101 }, (_, n) => ({
      id: createId('prj'),
      name: `Page ${n % 3}`,
      repository: 'https://git.example/pages.git',
      created_at: now,
      updated_at: now,
    }))
    await t.db.insertInto('projects').values(rows).execute()
    all = await readProjects<Project>({
      send: async (_, path) => ({ body: await (await t.call(path, { key: t.keys.admin })).text() }) as never,
    })
  })

  test('the command line reads the projects of all pages once, by name', () => {
    const paged = all.filter(({ name }) => name.startsWith('Page '))
    assert.equal(paged.length, 101)
    assert.equal(new Set(idsOf(all)).size, all.length)
    const places = paged.map(({ name, id }) => `${name} ${id}`)
    assert.deepEqual(places, places.toSorted())
  })

  test('a page has 100 projects at most, and pages of any size join', async () => {
    const first = await list('')
    assert.equal(first.projects.length, 100)
    assert.notEqual(first.nextCursor, null)
    const joined: Project[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: ProjectPage = await list(`?limit=7${cursor && `&cursor=${cursor}`}`)
      assert.ok(page.projects.length <= 7)
      joined.push(...page.projects)
      cursor = page.nextCursor
    }
    assert.deepEqual(idsOf(joined), idsOf(all))
  })

  test('wrong limits and cursors are refused, also the cursor of a project out of sight', async () => {
    const key = t.keys.admin
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'cursor=x']) {
      await expectProblem(await t.call(`/v1/projects?${query}`, { key }), 400, 'invalid_input')
    }
    const { nextCursor } = await list('?limit=1')
    const json = { name: 'One', scope: 'read', projectIds: [all.at(-1)?.id] }
    const made = (await (await t.call('/v1/keys', { key, json })).json()) as { readonly key: string }
    const path = `/v1/projects?cursor=${nextCursor}`
    await expectProblem(await t.call(path, { key: made.key }), 400, 'invalid_input')
  })
})
