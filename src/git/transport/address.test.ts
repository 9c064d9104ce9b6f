import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAddress } from './address.ts'
import { isPrivateAddress } from '../../lib/outbound/private-address.ts'
import { pinAddress } from './connect.ts'

const strict = { allowLocal: false, privateHosts: [] }
const lenient = {
  allowLocal: true,
  hasSsh: true,
  privateHosts: ['git.corp', 'forge.local:3000', '127.0.0.1:8080', '[::1]:8080', 'GIT.Upper'],
}
const { signal } = new AbortController()

test('an allowed address has one normal form', () => {
  for (const [text, href, rules] of [
    ['https://github.com/owner/repo.git', 'https://github.com/owner/repo.git', strict],
    ['HTTPS://GitHub.COM:443/owner/../owner/repo', 'https://github.com/owner/repo', strict],
    ['https://me@bitbucket.org/team/repo.git', 'https://bitbucket.org/team/repo.git', strict],
    ['https://org@dev.azure.com/org/p/_git/repo', 'https://dev.azure.com/org/p/_git/repo', strict],
    [' https://github.com/owner/repo.git\n', 'https://github.com/owner/repo.git', strict],
    ['https://github.com/owner/repo.git/', 'https://github.com/owner/repo.git', strict],
    ['https://xn--bcher-kva.example/a', 'https://xn--bcher-kva.example/a', strict],
    ['https://git.corp/a', 'https://git.corp/a', lenient],
    ['http://git.corp/a', 'http://git.corp/a', lenient],
    ['https://git.upper/a', 'https://git.upper/a', lenient],
    ['http://forge.local:3000/a/b.git', 'http://forge.local:3000/a/b.git', lenient],
    ['http://127.0.0.1:8080/a', 'http://127.0.0.1:8080/a', lenient],
    ['http://0x7f.1:8080/a', 'http://127.0.0.1:8080/a', lenient],
    ['http://[::1]:8080/a', 'http://[::1]:8080/a', lenient],
    ['/srv/git/docs.git', 'file:///srv/git/docs.git', lenient],
    ['/srv/git/../git//docs.git/', 'file:///srv/git/docs.git', lenient],
    ['/srv/git/a b#é?.git', 'file:///srv/git/a%20b%23%C3%A9%3F.git', lenient],
    ['file:///srv/git/docs.git', 'file:///srv/git/docs.git', lenient],
    ['file://localhost/srv/docs.git', 'file:///srv/docs.git', lenient],
    ['https://ada@bitbucket.org/acme/docs.git', 'https://bitbucket.org/acme/docs.git', strict],
    ['https://acme@dev.azure.com/acme/p/_git/docs', 'https://dev.azure.com/acme/p/_git/docs', strict],
    ['https://dev.azure.com/acme/a%20b/_git/c%20d/', 'https://dev.azure.com/acme/a%20b/_git/c%20d', strict],
    ['ssh://git@GitHub.com:22/o/r.git', 'ssh://git@github.com/o/r.git', lenient],
    ['git@GitHub.com:o/r.git', 'git@github.com:o/r.git', lenient],
    ['git@host.example.com:~/r.git', 'git@host.example.com:~/r.git', lenient],
    ['ssh://git@forge.local:3000/~/r.git', 'ssh://git@forge.local:3000/~/r.git', lenient],
    ['ssh://git@127.0.0.1:8080/r', 'ssh://git@127.0.0.1:8080/r', lenient],
    ['deploy.bot@git.corp:docs', 'deploy.bot@git.corp:docs', lenient],
  ] as const) {
    const { href: found } = parseAddress(text, rules)
    assert.equal(found, href, text)
    assert.equal(parseAddress(found, rules).href, href, `${text}, twice`)
  }
})

for (const text of [
  '',
  'github.com/owner/repo',
  'git@github.com:owner/repo.git',
  'git@-oProxyCommand=touch:x',
  '--upload-pack=touch x',
  '-oX',
  'ext::sh -c touch% x',
  'ext::https://github.com/a/b',
  'ssh://git@github.com/a/b',
  'git://github.com/a/b',
  'ftp://github.com/a/b',
  'javascript:alert(1)',
  'file:///etc',
  '/etc',
  'relative/path',
  'http://github.com/a/b',
  'https:github.com/a/b',
  'https:\\\\github.com\\a',
  'https://github.com/',
  'https://github.com',
  'https://github.com/a/b?x=1',
  'https://github.com/a/b?',
  'https://github.com/a/b#x',
  'https://github_pat_0123456789abcdefghijklmnopqrstuvwxyz@github.com/a/b',
  'https://ghp_0123456789abcdefghij@github.com/a/b',
  `https://${'x'.repeat(40)}@github.com/a/b`,
  'https://user:secret@github.com/a/b',
  'https://:secret@github.com/a/b',
  'https://github.com:8443/a/b',
  'https://127.0.0.1/a',
  'https://2130706433/a',
  'https://0x7f000001/a',
  'https://0177.0.0.1/a',
  'https://127.1/a',
  'https://8.8.8.8/a',
  'https://[::1]/a',
  'https://[::ffff:127.0.0.1]/a',
  'https://[2606:4700::1111]/a',
  'http://169.254.169.254/latest',
  'https://localhost/a',
  'https://x.localhost/a',
  'https://printer.local/a',
  'https://metadata.google.internal/a',
  'https://intranet/a',
  'https://github.com./a',
  'https://bücher.example/a',
  'https://gіthub.com/a',
  'https://github.com/a b',
  'https://github.com/a\nb',
  'https://github.com/a%0ab',
  'https://github.com/a%00',
  'https://github.com/a\u0000',
  `https://github.com/${'a'.repeat(2000)}`,
]) {
  test(`the address ${JSON.stringify(text.slice(0, 60))} is refused without repeating it`, () => {
    assert.throws(
      () => parseAddress(text, strict),
      (error: { code: string; message: string }) => {
        assert.equal(error.code, 'invalid_input')
        assert.match(error.message, / Use (an address such as https:|a public https address|https:)/)
        assert.ok(!error.message.includes('secret'))
        return true
      },
    )
  })
}

test('a host is allowed on the listed port only; a local path is absolute', () => {
  for (const text of [
    'http://forge.local/a',
    'https://git.corp:8443/a',
    'http://127.0.0.1:8081/a',
    'file://host/srv/docs.git',
    'file:relative',
    'file:///srv/a?x',
    'file:///srv/%2Fetc',
    '/',
    '//',
  ]) {
    assert.throws(() => parseAddress(text, lenient), { code: 'invalid_input' }, text)
  }
})

test('an address over ssh has a plain user, host and path, and is public unless listed', () => {
  for (const text of [
    'git@localhost:a',
    'git@intranet:a',
    'git@127.0.0.1:a',
    'ssh://git@127.0.0.1/a',
    'ssh://git@github.com:2222/a',
    'ssh://git@github.com:0/a',
    'ssh://git@github.com:65536/a',
    'ssh://git:secret@github.com/a',
    'ssh://github.com/a',
    'ssh://git@github.com',
    'ssh://git@github.com/',
    'ssh://-oProxyCommand=x@github.com/a',
    'ssh://git@-oProxyCommand=x/a',
    'git@-oProxyCommand=x:a',
    '-git@github.com:a',
    'git@github.com:-a',
    'git@github.com:a b',
    "git@github.com:a'b",
    'git@github.com:a;b',
    'ssh://git@github.com/a%0ab',
    'ssh://git@github.com/a?b',
    'ssh://git@[::1]/a',
    'git@github.com:',
    'git@1.2.3.4.5:foo/bar',
    'ssh://git@300.1.1.1/x',
    'git@127.1:a/b',
    'git@0x7f.1:a/b',
  ]) {
    assert.throws(() => parseAddress(text, { ...strict, hasSsh: true }), { code: 'invalid_input' }, text)
  }
  const { hostname, port, protocol } = parseAddress('git@github.com:o/r.git', { ...strict, hasSsh: true })
  assert.deepEqual([hostname, port, protocol], ['github.com', 22, 'ssh'])
})

test('every address that passes is https to a public name, without user or query', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'https://',
      'http://',
      'ext::',
      '@',
      ':',
      '/',
      '?',
      '#',
      '127.0.0.1',
      '[::1]',
      'a.example',
      '\\',
      '\t',
      '-',
    ),
    fc.string({ maxLength: 5 }),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      (text) => {
        try {
          const { href } = parseAddress(text, strict)
          assert.match(href, /^https:\/\/[a-z0-9_.~!$&'()*+,;=-]+\.[a-z0-9_-]+\/[^?#]+$/)
        } catch (error) {
          assert.equal((error as { code: string }).code, 'invalid_input')
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('every kind of private address is recognised', () => {
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'no address',
  ]) {
    assert.equal(isPrivateAddress(address), true, address)
  }
  for (const address of ['8.8.8.8', '140.82.121.3', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450::1']) {
    assert.equal(isPrivateAddress(address), false, address)
  }
})

test('a public name that resolves to a private address is refused at once', async () => {
  const address = parseAddress('https://docs.example.com/a', strict)
  for (const answer of [['10.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:10.0.0.1']]) {
    const pinned = pinAddress(address, async () => answer, signal)
    await assert.rejects(pinned, { code: 'repository_unreachable', message: /private network/ })
  }
  await assert.rejects(
    pinAddress(address, async () => [], signal),
    { code: 'repository_unreachable' },
  )
  const failing = pinAddress(address, async () => await Promise.reject(new Error('ENOTFOUND')), signal)
  await assert.rejects(failing, { code: 'repository_unreachable', message: /could not be resolved/ })
})

test('git is pinned to the checked addresses, and a hanging resolver can be aborted', async () => {
  const address = parseAddress('https://docs.example.com/a', strict)
  assert.deepEqual(await pinAddress(address, async () => ['8.8.8.8', '2606:4700::1111'], signal), [
    'http.curloptResolve=docs.example.com:443:8.8.8.8,[2606:4700::1111]',
  ])
  const listed = parseAddress('http://forge.local:3000/a', lenient)
  assert.deepEqual(await pinAddress(listed, async () => ['10.0.0.1'], signal), [
    'http.curloptResolve=forge.local:3000:10.0.0.1',
  ])
  const hanging = new AbortController()
  const pinned = pinAddress(address, async () => await new Promise<string[]>(() => {}), hanging.signal)
  hanging.abort(new Error('given up'))
  await assert.rejects(pinned, /given up/)
})

test('an address of 2,000 characters is accepted, and one more is not', () => {
  const start = 'https://github.com/acme/'
  const longest = start + 'a'.repeat(2_000 - start.length)
  assert.equal(parseAddress(longest, strict).href.length, 2_000)
  assert.throws(() => parseAddress(`${longest}a`, strict), { message: /longer than 2,000 characters/ })
})
