import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { writeMmdb } from '../../../test/support/mmdb.ts'
import { removeFolder, temporaryFolder } from '../../../test/support/temporary.ts'
import { chrome, firefox } from '../classify/browsers.fixture.ts'
import { keptQuery } from '../collect/target/kept-query.ts'
import { campaignOf } from './campaign.ts'
import { partsOfCampaign } from './campaign-parts.ts'
import { familiesOf, languageOf } from './client.ts'
import { openCountries, toCountry } from './country.ts'
import { dimensionsOf } from './describe.ts'

test('a campaign has its parameters in one order, in lower case, and nothing else', () => {
  const token = ['ghp', 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1z2A'].join('_')
  const table: readonly (readonly [string, string])[] = [
    ['/a?utm_campaign=Launch&utm_source=Newsletter&id=5', 'utm_source=newsletter&utm_campaign=launch'],
    ['/a?ref=Product%20Hunt', 'ref=product hunt'],
    ['/a?ref=a+b%26c%25', 'ref=a b%26c%25'],
    ['/a?UTM_Source=A', 'utm_source=a'],
    ['/a?utm_source=a&utm_source=b', 'utm_source=a'],
    ['/a?utm_id=7&preferred=x&xref=y&utm_sources=z', ''],
    ['/a?utm_source=&utm_medium=%20', ''],
    ['/a?utm_content=ann%40example.org', 'utm_content=(redacted)'],
    [`/a?utm_term=${token}`, 'utm_term=(redacted)'],
    [`/a?utm_term=${'é'.repeat(150)}`, `utm_term=${'é'.repeat(100)}`],
    ['/a?utm_source=%ff', 'utm_source=%25ff'],
    ['/a?utm_source=a%0d%0aSet-Cookie', 'utm_source=a set-cookie'],
    ['/a#?utm_source=a', ''],
  ]
  for (const [target, campaign] of table) assert.equal(campaignOf(keptQuery(target)), campaign, target)
})

test('the parts of a campaign are those that callers write', () => {
  assert.deepEqual(partsOfCampaign('utm_campaign=Launch&utm_source=a'), ['utm_campaign=launch', 'utm_source=a'])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }), (value) => {
      const campaign = campaignOf(keptQuery(`/?ref=${encodeURIComponent(value)}`))
      assert.deepEqual(partsOfCampaign(campaign), campaign === '' ? [] : [campaign])
    }),
  )
})

test('families of clients that people use; programs have none', () => {
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
  assert.deepEqual(familiesOf(iphone), { device: 'mobile', browser: 'Safari', os: 'iOS' })
  assert.equal(familiesOf(chrome).browser, 'Chrome')
  assert.equal(familiesOf(firefox).browser, 'Firefox')
  for (const program of [
    '',
    'curl/8.5.0',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    'Claude-User (claude-code/2.1.0)',
  ]) {
    assert.deepEqual(familiesOf(program), { device: '', browser: '', os: '' }, program)
  }
})

test('the language is the first one that a reader accepts, without its region', () => {
  const table = {
    'de-AT,de;q=0.9,en;q=0.5': 'de',
    'en;q=0.5, fr': 'fr',
    '*': '',
    '': '',
    'x;q=1,pt-BR;q=0': '',
    gsw: 'gsw',
  }
  for (const [accepted, language] of Object.entries(table)) assert.equal(languageOf(accepted), language, accepted)
})

test('a country comes from the header of a CDN, else from the database of the operator', async (t) => {
  const folder = await temporaryFolder('countries')
  t.after(() => removeFolder(folder))
  const path = join(folder, 'country.mmdb')
  await writeFile(path, writeMmdb({ '203.0.113.0/24': 'DE', '2001:db8::/32': 'FR' }))
  const countryOf = await openCountries(path)
  assert.equal(countryOf('203.0.113.7'), 'DE')
  assert.equal(countryOf('2001:db8::1'), 'FR')
  for (const address of ['192.0.2.1', 'nobody', undefined]) assert.equal(countryOf(address), '', String(address))
  await writeFile(path, 'no database')
  await assert.rejects(openCountries(path), /DOCENT_COUNTRY_DATABASE: .* is no readable MMDB file/)
  assert.deepEqual(['de', 'XX', 'T1', 'DEU', '', 5].map(toCountry), ['DE', '', '', '', '', ''])
  const view = {
    userAgent: '',
    signals: {},
    query: '',
    title: ' A\n title ',
    country: undefined,
    address: '203.0.113.7',
  }
  assert.equal(dimensionsOf(view, countryOf, new Set()).country, 'DE')
  assert.equal(dimensionsOf({ ...view, country: 'US' }, countryOf, new Set()).country, 'US')
  assert.deepEqual(dimensionsOf(view, countryOf, new Set(['country'])), {
    country: '',
    language: '',
    device: '',
    browser: '',
    os: '',
    campaign: '',
    title: 'A title',
  })
})
