import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyText, pageLink } from './shapes.ts'

test('a body that a person wrote in a browser has lines as all others', () => {
  assert.equal(bodyText('One.\r\n\r\nTwo.\u0000'), 'One.\n\nTwo.\ufffd')
  assert.equal(bodyText(null), '')
})

test('a link leads to the forge, or to the usual page', () => {
  const web = 'https://forge.example'
  assert.equal(pageLink(`${web}/a/b/7`, web, 'a/b/pull/7'), `${web}/a/b/7`)
  for (const link of ['https://elsewhere.example/', 'https://ada@forge.example/a', 'no link']) {
    assert.equal(pageLink(link, web, 'a/b/pull/7'), `${web}/a/b/pull/7`, link)
  }
})
