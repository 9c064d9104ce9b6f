import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PullAuthor } from '../../../forge/authors/merged-pulls.ts'
import { chooseReviewers } from './choose-reviewers.ts'

const author = (login: string, more: Partial<PullAuthor> = {}): PullAuthor => {
  return { id: login, login, reviewer: login, isBot: false, isOutsider: false, ...more }
}
const authors = (...logins: readonly string[]) => logins.map((login) => author(login))
const nobody = { names: [], account: null }

test('three authors are asked, in their order and once, and the others are named', () => {
  const chosen = chooseReviewers(authors('ada', 'grace', 'Ada', 'edsger', 'barbara'), () => true, nobody)
  assert.deepEqual(chosen, { ask: ['ada', 'grace', 'edsger'], others: ['barbara'] })
})

test('bots, outsiders and the account of the pull request are left out of both', () => {
  const all = [author('renovate', { isBot: true }), ...authors('Docent-Token', 'mallory', 'ada')]
  const chosen = chooseReviewers(all, ({ login }) => login !== 'mallory', { names: [], account: 'docent-token' })
  assert.deepEqual(chosen, { ask: ['ada'], others: [] })
})

test('reviewers of the settings and of earlier runs count, and are not asked twice', () => {
  const all = authors('ada', 'grace', 'edsger')
  const choose = (...names: readonly string[]) => chooseReviewers(all, () => true, { names, account: null })
  assert.deepEqual(choose('ADA', 'acme/docs'), { ask: ['grace'], others: ['edsger'] })
  assert.deepEqual(choose('x', 'y', 'z'), { ask: [], others: ['ada', 'grace', 'edsger'] })
  assert.deepEqual(choose('w', 'x', 'y', 'z', 'ada'), { ask: [], others: ['grace', 'edsger'] })
})

test('a host that knows ids is asked with ids, and the others are named by their names', () => {
  const all = ['1', '2', '3', '4'].map((id) => author(`Ada ${id}`, { reviewer: `{${id}}` }))
  assert.deepEqual(
    chooseReviewers(all, () => true, nobody),
    { ask: ['{1}', '{2}', '{3}'], others: ['Ada 4'] },
  )
})
