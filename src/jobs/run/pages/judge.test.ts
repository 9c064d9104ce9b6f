import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createJudge, type Known } from './judge.ts'

const prefix = 'https://docs.example.com/ref/'
const listed = 'https://example.com/changelog?year=2026'
const written = 'https://blog.example.org/post?id=7#part'
const linked = [`${prefix}flags?v=2#all`, `${prefix}plain`]

function judgeOf(more: Partial<Known> = {}) {
  const asked = { linked: 0 }
  const known: Known = {
    settings: { addresses: [listed], prefixes: [prefix] },
    written: async () => [written],
    linked: async () => {
      asked.linked += 1
      return linked
    },
    hasReadPrivate: () => Promise.resolve(false),
    ...more,
  }
  const judge = createJudge(known)
  const isAllowed = async (address: string) => (await judge.refuse(new URL(address))) === undefined
  const mayRedirect = async (from: string, to: string) =>
    (await judge.refuseRedirect(new URL(to), new URL(from))) === undefined
  return { judge, asked, isAllowed, mayRedirect }
}

test('listed, written and linked addresses are allowed as they were found', async () => {
  const { isAllowed, asked } = judgeOf()
  for (const address of [listed, written, 'https://blog.example.org/post?id=7']) {
    assert.equal(await isAllowed(address), true, address)
  }
  assert.equal(asked.linked, 0, 'the docs are searched only for an address below a prefix')
  for (const address of [...linked, `${prefix}flags?v=2`]) assert.equal(await isAllowed(address), true, address)
})

test('nothing that a model adds to an address leaves the service', async () => {
  const { isAllowed } = judgeOf()
  const secret = 'QUtJQTEyMw'
  const attacks = [
    `https://evil.example/?d=${secret}`,
    `https://evil.example/${secret}`,
    `https://${secret}.evil.example/`,
    `${listed}&d=${secret}`,
    `${listed}#${secret}`,
    `https://example.com/changelog`,
    `https://example.com/changelog/${secret}`,
    `https://example.com/changelog?year=${secret}`,
    `https://example.com:8443/changelog?year=2026`,
    `http://example.com/changelog?year=2026`,
    `https://${secret}.example.com/changelog?year=2026`,
    `https://${secret}@example.com/changelog?year=2026`,
    `https://example.com.evil.example/changelog?year=2026`,
    `https://xn--exmple-cua.com/changelog?year=2026`,
    `https://EXAMPLE.com/Changelog?year=2026`,
    `https://blog.example.org/post?id=8`,
    `https://blog.example.org/post?id=7#other`,
    `https://blog.example.org/post?id=7&`,
    `https://blog.example.org/post/?id=7`,
    `${prefix}${secret}`,
    `${prefix}plain?d=${secret}`,
    `${prefix}plain#${secret}`,
    `${prefix}plain/${secret}`,
    `${prefix}flags`,
    `${prefix}flags?v=2&d=${secret}`,
    `${prefix}flags?v=2#${secret}`,
    `${prefix}..%2f${secret}`,
    `https://docs.example.com/ref`,
    `https://docs.example.com/`,
  ]
  for (const address of attacks) assert.equal(await isAllowed(address), false, address)
})

test('any other address than those that were found is refused', async () => {
  const { isAllowed } = judgeOf()
  const known = new Set([listed, written, ...linked, 'https://blog.example.org/post?id=7', `${prefix}flags?v=2`])
  const start = fc.constantFrom(listed, written, ...linked, prefix)
  await fc.assert(
    fc.asyncProperty(
      start,
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.string(),
      async (one, other, end) => {
        for (const text of [other, one + end]) {
          const url = URL.parse(text)
          if (url && !known.has(url.href)) assert.equal(await isAllowed(url.href), false, url.href)
        }
      },
    ),
  )
})

test('after a private source was read, only listed and written addresses are allowed', async () => {
  const { isAllowed, mayRedirect, judge, asked } = judgeOf({ hasReadPrivate: () => Promise.resolve(true) })
  for (const address of [listed, written]) assert.equal(await isAllowed(address), true, address)
  for (const address of linked) assert.equal(await isAllowed(address), false, address)
  assert.equal(asked.linked, 0)
  assert.equal(await mayRedirect(written, `${prefix}plain`), false)
  assert.equal(await mayRedirect(written, listed), true)
  assert.match((await judge.refuse(new URL(`${prefix}plain`))) ?? '', /has read a private source/)
})

test('a private source counts from the moment it is read', async () => {
  const state = { isRead: false }
  const { isAllowed } = judgeOf({ hasReadPrivate: () => Promise.resolve(state.isRead) })
  assert.equal(await isAllowed(`${prefix}plain`), true)
  state.isRead = true
  assert.equal(await isAllowed(`${prefix}plain`), false)
})

test('a redirect leads to an allowed address, the same page, or below a prefix', async () => {
  const { mayRedirect } = judgeOf()
  const from = 'https://blog.example.org/post?id=7'
  const allowed: readonly (readonly [string, string])[] = [
    [from, listed],
    [from, 'https://blog.example.org/post/?id=7'],
    ['https://blog.example.org/post/', 'https://blog.example.org/post'],
    ['http://blog.example.org/post', 'https://blog.example.org/post/'],
    [from, `${prefix}anything`],
    [`${prefix}a?v=2`, `${prefix}b?v=2`],
    [`${prefix}a`, `${prefix}a/`],
  ]
  for (const [one, other] of allowed) assert.equal(await mayRedirect(one, other), true, `${one} ${other}`)
  const refused: readonly (readonly [string, string])[] = [
    [from, 'https://evil.example/'],
    [from, 'https://blog.example.org/other?id=7'],
    [from, 'https://blog.example.org/post?id=8'],
    [from, 'https://blog.example.org/post'],
    [from, 'https://www.blog.example.org/post?id=7'],
    [from, 'https://blog.example.org:8443/post?id=7'],
    [from, 'http://blog.example.org/post?id=7'],
    [from, 'https://user@blog.example.org/post?id=7'],
    [from, `${prefix}a?d=1`],
    [from, `${prefix}a?id=7&d=1`],
    [`${prefix}a`, `${prefix}b?d=1`],
    [`${prefix}a`, `${prefix}..%2fadmin`],
    [`${prefix}a`, 'https://docs.example.com/admin'],
    [`${prefix}a`, 'http://169.254.169.254/latest/meta-data/'],
  ]
  for (const [one, other] of refused) assert.equal(await mayRedirect(one, other), false, `${one} ${other}`)
})
