import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostAttempts, pauseAfter } from './deliveries/backoff.ts'
import { type NotificationData, type NotificationType, notificationTypes, withLinks } from './notification.ts'
import { toWords } from './words.ts'

const publicUrl = 'https://docs.test'
const pullRequest = { number: 7, url: 'https://github.com/acme/docs/pull/7' }
const job = {
  id: 'job_0',
  status: 'completed',
  prLink: pullRequest.url,
  outcome: 'pull_request',
  result: { title: 'Rename Acme' },
  error: null,
  pullRequest,
}
const automation = { id: 'aut_0', name: 'Links', pausedBecause: 'more than 30 events' }
const say = (type: NotificationType, data: NotificationData) =>
  toWords({ type, data, project: { id: 'prj_0', name: 'Docs' }, publicUrl })

test('each type has a title of one line, and links to what it is about', () => {
  const failed = { ...job, error: { message: 'It broke.\nTwice.' }, result: null }
  const table: readonly (readonly [NotificationType, NotificationData, string])[] = [
    ['job.completed', { job }, 'Job completed: Rename Acme'],
    ['job.failed', { job: failed }, 'Job failed: It broke. Twice.'],
    ['job.needs_input', { job }, 'Job asks a question: Rename Acme'],
    ['pull_request.opened', { job }, 'Pull request #7 was opened: Rename Acme'],
    ['pull_request.merged', { job }, 'Pull request #7 was merged'],
    ['pull_request.closed', { job }, 'Pull request #7 was closed without a merge'],
    ['pull_request.waiting', { job }, 'Pull request #7 has waited for a review for three days'],
    ['automation.paused', { automation, run: null }, 'Automation Links is paused: more than 30 events'],
    [
      'automation.failed',
      { automation, run: { prLink: null, reason: 'No model' } },
      'Automation Links failed three times in a row: No model',
    ],
  ]
  assert.deepEqual(
    table.map(([type]) => type),
    notificationTypes,
  )
  for (const [type, data, title] of table) assert.equal(say(type, data).title, title)
  const { links } = say('job.completed', { job })
  assert.deepEqual(links, [
    { name: 'Pull request #7', url: pullRequest.url },
    { name: 'Job', url: `${publicUrl}/projects/prj_0/jobs/job_0` },
  ])
  const [link] = say('automation.paused', { automation, run: null }).links
  assert.equal(link?.url, `${publicUrl}/projects/prj_0/automations/aut_0`)
})

test('a job without a change, and one that continues with waiting messages, say so', () => {
  const unchanged = { ...job, outcome: 'no_changes', pullRequest: null, result: null }
  assert.equal(say('job.completed', { job: unchanged }).title, 'Job completed without a change')
  const active = say('job.completed', { job: { ...job, status: 'active' } })
  assert.equal(active.title, 'A run ended, and the job continues with the messages that wait')
  assert.ok(say('job.failed', { job: { ...job, error: { message: 'x'.repeat(5_000) } } }).title.length < 310)
})

test('only links that the service serves get its address', () => {
  const own = { ...job, prLink: '/pulls/1', pullRequest: { number: 1, url: '/pulls/1' } }
  const run = { prLink: '/pulls/1', reason: null }
  assert.deepEqual(withLinks({ job: own }, publicUrl), {
    job: { ...own, prLink: `${publicUrl}/pulls/1`, pullRequest: { number: 1, url: `${publicUrl}/pulls/1` } },
  })
  assert.deepEqual(withLinks({ job }, publicUrl), { job })
  assert.deepEqual(withLinks({ automation, run }, publicUrl), {
    automation,
    run: { ...run, prLink: `${publicUrl}/pulls/1` },
  })
  assert.deepEqual(withLinks({ automation, run: null }, publicUrl), { automation, run: null })
})

test('the attempts of a delivery take three days, each pause a tenth longer or shorter', () => {
  const pauses = (random: number) =>
    Array.from({ length: mostAttempts - 1 }, (_, at) => pauseAfter(at + 1, random) ?? Number.NaN)
  const days = (random: number) => pauses(random).reduce((sum, pause) => sum + pause, 0) / 86_400_000
  assert.deepEqual(
    [days(0), days(0.5), days(1)].map((one) => one.toFixed(1)),
    ['2.7', '3.0', '3.3'],
  )
  assert.equal(pauseAfter(mostAttempts, 0.5), undefined)
  assert.equal(pauseAfter(1, 0.5, 120), 120_000)
  assert.equal(pauseAfter(3, 0.5, 1), 300_000)
})
