import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createNames } from './name-clashes.ts'
import { collisionKey, comparePaths, decodePath, escapePath, nameProblem, refusePath, shapeProblem } from './path.ts'

test('usual paths are allowed', () => {
  for (const path of [
    'a',
    'docs/a b.md',
    'docs/é.md',
    'docs/日本/🙂.md',
    '.github/x.md',
    '.gitignore',
    '.gitattributes',
    'git',
    'a.git',
    'docs/[slug]/page.mdx',
    "it's (1).md",
    'a..b',
    '...a',
    'con-fig.md',
    'auxiliary.md',
    'nul1.md',
    'git~x',
    'a~1.md',
    'x'.repeat(255),
    Array.from({ length: 4 }, () => 'y'.repeat(255)).join('/'),
  ]) {
    assert.equal(nameProblem(path), null, path)
  }
})

for (const [path, reason] of [
  ['', /empty/],
  ['/etc/passwd', /absolute/],
  ['//a', /absolute/],
  ['C:\\x', /drive/],
  ['c:/x', /drive/],
  ['C:x', /drive/],
  ['..', /\.\./],
  ['../x', /\.\./],
  ['docs/../../x', /\.\./],
  ['.', /\. or/],
  ['a/./b', /\. or/],
  ['a//b', /empty part/],
  ['a/', /empty part/],
  ['a\0b', /NUL/],
  ['\ud800', /well-formed/],
  ['a/\udc00.md', /well-formed/],
  ['.git', /\.git/],
  ['.git/config', /\.git/],
  ['a/.git/x', /\.git/],
  ['.GIT/hooks/x', /\.git/],
  ['.Git', /\.git/],
  ['git~1/config', /\.git/],
  ['GIT~2', /\.git/],
  ['.g\u200cit/x', /\.git/],
  ['.git\u200d', /\.git/],
  ['\ufeff.git', /\.git/],
  ['.git::$INDEX_ALLOCATION/x', /\.git/],
  ['.git:x', /\.git/],
  ['.git./x', /\.git/],
  ['.git /x', /\.git/],
  ['.git . .', /\.git/],
  ['.ｇｉｔ/x', /\.git/],
  ['git~1:x', /\.git/],
  ['.git\\config', /\.git/],
] as const) {
  test(`${JSON.stringify(path)} names no file`, () => {
    assert.match(shapeProblem(path) ?? 'allowed', reason)
    assert.match(nameProblem(path) ?? 'allowed', reason)
    assert.throws(() => refusePath(path, nameProblem(path) ?? ''), { code: 'path_refused' })
  })
}

for (const [path, reason] of [
  ['e\u0301.md', /normal form/],
  ['a\nb', /control/],
  ['a\u0007', /control/],
  ['a\u0085', /control/],
  ['a\u2028', /control/],
  ['a\\b', /backslash/],
  ['..\\x', /backslash/],
  ['docs/a:b', /Windows/],
  ['a?.md', /Windows/],
  ['a*', /Windows/],
  ['<a>', /Windows/],
  ['a|b', /Windows/],
  ['a"b', /Windows/],
  ['a.', /dot or a space/],
  ['a ', /dot or a space/],
  ['a./b', /dot or a space/],
  ['a /b', /dot or a space/],
  ['...', /dot or a space/],
  [' a', /begins with a space/],
  ['con', /reserves/],
  ['docs/AUX.md', /reserves/],
  ['nul.tar.gz', /reserves/],
  ['Com1', /reserves/],
  ['lpt9.x', /reserves/],
  ['x'.repeat(256), /255/],
  ['é'.repeat(128), /255/],
  [Array.from({ length: 5 }, () => 'y'.repeat(250)).join('/'), /1,024/],
] as const) {
  test(`no new file is created at ${JSON.stringify(path.slice(0, 30))} (${path.length})`, () => {
    assert.equal(shapeProblem(path), null)
    assert.match(nameProblem(path) ?? 'allowed', reason)
  })
}

test('an allowed path stays below the root and is its own normal form', () => {
  const piece = fc.oneof(
    fc.constantFrom('.', '..', '/', '\\', '.git', 'GIT~1', '\0', ' ', ':', '\u200c', 'a', 'e\u0301', '\ud800'),
    fc.string({ maxLength: 4, unit: 'binary' }),
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
      (path) => {
        if (nameProblem(path) !== null) return
        const url = new URL(path.split('/').map(encodeURIComponent).join('/'), 'https://host/root/')
        assert.ok(url.pathname.startsWith('/root/'))
        assert.equal(path, path.normalize('NFC'))
        assert.equal(decodePath(Buffer.from(path)), path)
        assert.ok(!path.toLowerCase().split('/').includes('.git'))
      },
    ),
    { numRuns: 3000 },
  )
})

test('names that are one file on some system share a key; paths sort as in git', () => {
  for (const [a, b] of [
    ['README.md', 'readme.MD'],
    ['é', 'e\u0301'],
    ['É', 'e\u0301'],
    ['ß', 'SS'],
    ['ſ', 's'],
  ] as const) {
    assert.equal(collisionKey(a), collisionKey(b), `${a} ${b}`)
  }
  assert.notEqual(collisionKey('a'), collisionKey('b'))
  assert.deepEqual(['\u{1f642}', '\uffee', 'a/b', 'a', 'a-b', 'é'].toSorted(comparePaths), [
    'a',
    'a-b',
    'a/b',
    'é',
    '\uffee',
    '\u{1f642}',
  ])
})

test('bytes that are not UTF-8 are no path and are shown escaped', () => {
  const latin = Buffer.from([0x63, 0xe9, 0x0a])
  assert.equal(decodePath(latin), null)
  assert.equal(decodePath(Buffer.from([0xed, 0xa0, 0x80])), null)
  assert.equal(escapePath(latin), 'c\\xe9\\x0a')
  assert.equal(decodePath(Buffer.from('\ufeffa')), '\ufeffa')
})

test('a new name must not meet a file, a folder, a link or its own twin', () => {
  const entry = (path: string, kind: 'file' | 'symlink' | 'submodule' = 'file') => ({
    path,
    kind,
    size: 0,
    mode: '100644',
    oid: '',
  })
  const names = createNames([entry('docs/Readme.md'), entry('a'), entry('link', 'symlink'), entry('sub', 'submodule')])
  for (const [path, reason] of [
    ['docs', /it is a folder/],
    ['a/b', /"a" is a file/],
    ['a/b/c', /"a" is a file/],
    ['link/x', /"link" is a symbolic link/],
    ['sub/x', /"sub" is a submodule/],
    ['docs/README.md', /"docs\/Readme.md" exists/],
    ['Docs/x.md', /"docs" exists/],
    ['A', /"a" exists/],
    ['DOCS', /"docs" exists/],
  ] as const) {
    assert.match(names.clash(path) ?? 'allowed', reason, path)
  }
  assert.equal(names.clash('docs/new/x.md'), null)
  names.add('docs/other.md', 'file')
  names.remove('docs/Readme.md')
  assert.match(names.clash('docs') ?? 'allowed', /it is a folder/)
  assert.equal(names.clash('docs/README.md'), null)
  names.remove('docs/other.md')
  for (const path of ['docs', 'Docs/x', 'DOCS']) assert.equal(names.clash(path), null, path)
})
