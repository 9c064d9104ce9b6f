import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Automation } from '../../api/project/automations.ts'
import { toDraft, toFields } from './draft.ts'

const automation = {
  name: 'Fix links',
  instructions: 'Fix the links.',
  trigger: { type: 'schedule', cron: '30 4 * * *', timeZone: 'Asia/Tokyo' },
  scope: ['docs/', '*.md'],
  sources: ['api'],
  model: 'docent/rules',
  update: 'draft',
  mergeWithoutChecks: true,
  grouping: 'one',
  caps: { runsPerDay: 1_000, costUsdPerDay: 0.5 },
  budgets: { turns: 50, tokens: null, seconds: null, changedFiles: null, changedBytes: null, costUsd: null },
} as unknown as Automation

test('an automation is the same after its form', () => {
  const { name, instructions, trigger, scope, sources, model, caps, budgets } = automation
  const { update, mergeWithoutChecks, grouping } = automation
  const fields = toFields(toDraft(automation, '0 6 * * *'))
  const pulls = { update, mergeWithoutChecks, grouping }
  assert.deepEqual(fields, { name, instructions, trigger, scope, sources, model, ...pulls, caps, budgets })
})

test('triggers that follow a branch are the same after their form', () => {
  const again = (trigger: Automation['trigger']) => toFields(toDraft({ ...automation, trigger }, '0 6 * * *')).trigger
  const triggers: readonly Automation['trigger'][] = [
    { type: 'docs', paths: ['guides/', '*.md'] },
    { type: 'code', source: 'api', paths: ['src/'], when: 'merge' },
    { type: 'code', source: null, paths: [], when: '0 6 * * MON' },
  ]
  assert.deepEqual(triggers.map(again), triggers)
})

test('an empty form has the defaults of a new automation', () => {
  const fields = toFields({ ...toDraft(undefined, '0 6 * * *'), name: ' A ', instructions: 'x' })
  assert.deepEqual(fields.trigger, { type: 'schedule', cron: '0 6 * * *', timeZone: null })
  assert.deepEqual([fields.name, fields.scope, fields.sources, fields.model], ['A', [], null, null])
  assert.deepEqual(fields.caps, { runsPerDay: null, costUsdPerDay: null })
  const byPeople = toFields({ ...toDraft(automation, ''), starts: 'person' })
  assert.deepEqual(byPeople.trigger, { type: 'person' })
  assert.deepEqual(toFields({ ...toDraft(automation, ''), starts: 'event' }).trigger, { type: 'event' })
})
