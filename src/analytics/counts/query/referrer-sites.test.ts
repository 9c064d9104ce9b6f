import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sharedStore } from '../../../../test/support/test-store.ts'
import { hostsOfSites, isOfSites, siteNameOf, siteOf, sites } from './referrer-sites.ts'

const names = [...sites.map(({ site }) => site), 'example.org', 'www.example.org', 'www3.com', 'com.google.android.gm']
const starts = ['', 'www.', 'www2.', 'www22.', 'm.', 'l.', 'search.', 'images.', 'old.', 'android-app://', 'www.www.']
const others = ['google.co.uk', 'ya.ru', 't.co', 't.me', 'fb.me', 'de.search.yahoo.com', 'www.', '']
const hosts = [...names.flatMap((name) => starts.map((start) => start + name)), ...others]

test('the site of a host is the same in the store and here', async () => {
  const store = await sharedStore('embedded')
  const found = await store.read<{ host: string; site: string }>(
    `SELECT host, ${siteOf('host')} AS site FROM (SELECT arrayJoin({hosts:Array(String)}) AS host)`,
    { hosts },
  )
  assert.deepEqual(
    found.map(({ host, site }) => [host, site]),
    hosts.map((host) => [host, siteNameOf(host)]),
  )
})

test('hosts are of the sites that a filter names exactly if their site is one of them', async () => {
  const store = await sharedStore('embedded')
  for (const wanted of [
    ...names.map((name) => [name]),
    names.slice(0, 5),
    ['x.com', 'example.org'],
    ['nowhere.example'],
  ]) {
    const found = await store.read<{ host: string }>(
      `SELECT host FROM (SELECT arrayJoin({hosts:Array(String)}) AS host) WHERE ${isOfSites('host', wanted, 'some')}`,
      { hosts, some: hostsOfSites(wanted) },
    )
    const expected = hosts.filter((host) => wanted.includes(siteNameOf(host)))
    assert.deepEqual(
      found.map(({ host }) => host),
      expected,
      wanted.join(),
    )
  }
})
