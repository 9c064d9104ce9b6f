import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultClasses, visitorClasses } from '../../../../../src/analytics/category.ts'
import { categories, classes } from './categories.ts'

test('the categories and their defaults are those of the service', () => {
  const shown = Object.fromEntries(Object.entries(categories).map(([name, { standard }]) => [name, standard]))
  assert.deepEqual(shown, defaultClasses)
  assert.deepEqual(Object.keys(classes), [...visitorClasses])
})
