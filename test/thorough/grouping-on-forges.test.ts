// Runs of an automation that share a pull request on each host, over loopback forges with real repositories.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { RunPage } from '../../src/automations/runs/list.ts'
import type { AutomationRun } from '../../src/automations/runs/run.ts'
import { forgeKinds } from '../../src/forge/host.ts'
import type { ShownAutomation } from '../../src/http/resources/automations/schemas.ts'
import { commentsOf } from '../support/forge/azure/threads.ts'
import { connectForge, type ForgeService, startWithForges } from '../support/forge/connected-service.ts'
import type { TestForge } from '../support/forge/forge.ts'
import type { Scripted } from '../support/model-server.ts'
import { edit, write } from '../support/scripted.ts'

const names = [...forgeKinds, 'app'] as const
let service: ForgeService<(typeof names)[number]>
before(async () => {
  const files = { 'docs/a.md': '# A\n\nOne.\n\nTwo.\n' }
  service = await startWithForges(
    names.map((name) => [name, { kind: name === 'app' ? 'github' : name, files, switches: { isPrivate: true } }]),
  )
})
after(() => service.close())

const done = (title: string): Scripted => ({
  calls: [{ name: 'finish', input: { title, summary: 'Ask @ada, and see #1.\n\n/merge' } }],
})

/** The comments of the service that say what a run added. */
function commentsOn(forge: TestForge, number: number): readonly string[] {
  const own = [...forge.remarks.all.map((one) => ({ ...one })), ...forge.pulls.flatMap(threadsOf)]
  return own.filter((one) => one.number === number && one.text.startsWith('Added by a run')).map(({ text }) => text)
}

function threadsOf(pull: TestForge['pulls'][number]) {
  return commentsOf(pull).map(({ content }) => ({ number: pull.number, text: content }))
}

for (const name of names) {
  test(`runs on ${name} share a pull request, and a comment says what each added`, async () => {
    const forge = service.forges.get(name) ?? assert.fail(name)
    const { client, send } = await connectForge(service, forge, { isApp: name === 'app' })
    const body = { name: 'Update @docs', trigger: { type: 'person' }, instructions: 'Do it.', grouping: 'one' }
    const { id } = (await send('POST', '/automations', body)) as ShownAutomation
    const path = `/v1/projects/${client.projectId}/automations/${id}`
    const run = async (...answers: readonly Scripted[]): Promise<AutomationRun> => {
      service.play(...answers)
      const { id: runId } = await client.call<AutomationRun>('POST', `${path}/run`)
      for (;;) {
        const { runs } = await client.call<RunPage>('GET', `${path}/runs`)
        const found = runs.find((one) => one.id === runId) ?? assert.fail('the run is there')
        if (found.endedAt !== null) return found
        await client.ended(found.jobId ?? '')
      }
    }

    const first = await run(edit('docs/a.md', 'One.', 'Uno.'), done('First'))
    assert.equal(first.status, 'review_needed', first.reason ?? '')
    const [pull, ...others] = forge.pulls
    assert.ok(pull && others.length === 0)
    assert.deepEqual(commentsOn(forge, pull.number), [])
    const isMarked = name !== 'bitbucket' && name !== 'azure'
    if (isMarked) pull.body = `${pull.body}\n\nAda: looks good.`
    const theirs = forge.push('main', { 'docs/theirs.md': 'theirs\n' })
    const second = await run(write('docs/b.md', '# B\n'), done('Second'))
    assert.deepEqual([second.jobId, second.status, forge.pulls.length], [first.jobId, 'review_needed', 1])
    assert.equal(forge.remote.git(['rev-parse', `${pull.branch}~1^2`]), theirs)
    assert.match(pull.title, /^Update docs: 2 runs$/)
    const entry = String.raw`\*\*\d{4}-\d\d-\d\d:`
    assert.match(pull.body, new RegExp(`^${entry} Second\\*\\*[^]*\n---\n\n${entry} First\\*\\*`))
    assert.equal(pull.body.endsWith('Ada: looks good.'), isMarked)
    const [comment = '', ...more] = commentsOn(forge, pull.number)
    assert.deepEqual(more, [])
    assert.match(comment, /^Added by a run of \d{4}-\d\d-\d\d, started by `test`:\n\n\*\*Second\*\*\n\n/)
    // Its words notify nobody, link nothing and command nothing.
    assert.doesNotMatch(comment, /@ada|\n\/merge/)
    assert.match(comment, /(?:<!-- docent:comment=run_\w+ -->|`docent:run_\w+`)$/)

    // Another base, or an end: the service has not seen it yet.
    if (name === 'gitlab') {
      forge.push('next', { 'docs/next.md': 'next\n' })
      forge.retarget(pull.number, 'next')
    } else forge.close(pull.number)
    const third = await run(write('docs/c.md', '# C\n'), done('Third'))
    assert.notEqual(third.jobId, first.jobId)
    const why = name === 'gitlab' ? `#${pull.number} is onto next now.` : `#${pull.number} has ended.`
    assert.deepEqual([third.status, third.reason, forge.pulls.length], ['review_needed', why, 2])
    if (name === 'gitlab') return
    assert.equal((await client.job(first.jobId ?? '')).pullRequest?.state, 'closed')
    const fourth = await run(edit('docs/a.md', 'One.', 'Uno.'), done('Fourth'))
    assert.match(
      fourth.reason ?? '',
      new RegExp(`^People have rejected everything .*: docs/a\\.md \\(#${pull.number}\\)`),
    )
    assert.deepEqual([fourth.jobId, fourth.status], [third.jobId, 'nothing_to_do'])
  })
}
