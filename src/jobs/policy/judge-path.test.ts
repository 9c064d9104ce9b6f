import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findGuidance } from '../../agent/guidance/find-guidance.ts'
import type { PathGlobs } from '../../projects/settings.ts'
import { createPathJudge } from './judge-path.ts'
import { manifestGroups } from './manifest-list.ts'
import { protectedGroups } from './protected-list.ts'

const open: PathGlobs = { allow: [], deny: [], unprotect: [] }
const judge = createPathJudge(open)
const hex = (text: string): string => Buffer.from(text).toString('hex')

test('a path is refused when it is denied, or when others are allowed', () => {
  const table: [readonly string[], readonly string[], string, boolean][] = [
    [['docs/'], [], 'docs/a.md', false],
    [['docs/'], [], 'docs/deep/er/a.md', false],
    [['docs/'], [], 'docs', true],
    [['docs/'], [], 'docs2/a.md', true],
    [['docs/'], [], 'src/docs/a.md', true],
    [['docs/'], [], 'Docs/a.md', true],
    [['/docs/'], [], 'docs/a.md', false],
    [['docs'], [], 'docs/a.md', false],
    [['*.md'], [], 'any/where/a.md', false],
    [['*.md'], [], 'a.mdx', true],
    [['*.{md,mdx}'], [], 'a.mdx', false],
    [['docs/', 'README.md'], [], 'README.md', false],
    [[], ['docs/legal/'], 'docs/legal/terms.md', true],
    [[], ['docs/legal/'], 'Docs/LEGAL/terms.md', true],
    [[], ['docs/legal/'], 'docs/a.md', false],
    [['docs/'], ['docs/legal/'], 'docs/legal/terms.md', true],
    [['docs/legal/'], ['docs/'], 'docs/legal/terms.md', true],
    [['**'], ['**'], 'a', true],
    [[], ['.*'], '.nojekyll', true],
  ]
  for (const [allow, deny, path, isRefused] of table) {
    const { result, rule } = createPathJudge({ allow, deny, unprotect: [] })(path)
    assert.equal(result === 'denied', isRefused, `${path} of +${allow.join()} -${deny.join()} by ${rule}`)
  }
})

test('denied paths stay denied, and more denials never allow more', () => {
  const path = fc.stringMatching(/^[a-c]{1,3}(\/[a-c]{1,3}){0,2}\.md$/)
  const glob = fc.constantFrom('a/', 'b/**', '*.md', 'a*/', '**/c.md', 'c', '{a,b}/', '?/b.md')
  const globs = fc.array(glob, { maxLength: 4 })
  const isAllowed = (allow: readonly string[], deny: readonly string[], path: string): boolean =>
    createPathJudge({ allow, deny, unprotect: [] })(path).result === 'allowed'
  fc.assert(
    fc.property(path, globs, globs, glob, (path, allow, deny, more) => {
      if (!isAllowed(allow, deny, path)) {
        assert.ok(!isAllowed(allow, [...deny, more], path))
        if (!isAllowed([], deny, path)) assert.ok(!isAllowed([...allow, more], deny, path))
      } else if (allow.length > 0) assert.ok(isAllowed([...allow, more], deny, path))
    }),
  )
})

/** One file for every glob of the lists: braces, stars and folders filled in. */
const samples = [protectedGroups, manifestGroups].flatMap((groups) => Object.values(groups).flat()).flatMap(toSamples)

function toSamples(glob: string): readonly string[] {
  const braces = /\{([^{}]*)\}/.exec(glob)
  if (braces) {
    const parts = [glob.slice(0, braces.index), glob.slice(braces.index + braces[0].length)] as const
    return (braces[1] ?? '').split(',').flatMap((one) => toSamples(parts.join(one)))
  }
  const path = glob
    .replace(/^\*\*\//, '')
    .replace(/^\//, '')
    .replace('/**/', '/')
    .replace(/\*\*$/, 'x.md')
  return [path.replaceAll('*', 'x')]
}

test('notes for agents that a run follows are protected, except guides for people', () => {
  const notes = [
    'AGENTS.md',
    '.docent/AGENTS.md',
    '.mintlify/AGENTS.md',
    'CLAUDE.md',
    '.claude/CLAUDE.md',
    '.cursorrules',
  ]
  const others = ['.claude/rules/a/b.md', '.cursor/rules/a.mdc', '.github/copilot-instructions.md', 'docs/agents.md']
  const all = [...notes, ...others, 'CONTRIBUTING.md']
  const { given } = findGuidance(all, ['docs'])
  assert.deepEqual(given.toSorted(), all.toSorted())
  assert.deepEqual(
    given.filter((path) => judge(path).result !== 'protected'),
    ['CONTRIBUTING.md'],
  )
})

test('every file of the lists is protected, and no page beside it', () => {
  assert.ok(samples.length > 400)
  for (const path of samples) assert.equal(judge(path).result, 'protected', path)
  for (const path of pages) assert.equal(judge(path).result, 'allowed', path)
})

const pages = [
  'index.mdx',
  'README.md',
  'docs/guides/ci.mdx',
  'docs/dockerfile/reference.md',
  'docs/makefile.md',
  'docs/package-json.md',
  'docs/package.json.md',
  'docs/github/workflows.md',
  'docs/.vuepress/public/logo.png',
  'docs/environment/index.md',
  'docs/claude-code.md',
  'docs/concepts/agent.md',
  'docs/codex.md',
  'docs.json',
  'mint.json',
  'mkdocs.yml',
  'docs/SUMMARY.md',
  'docs/_meta.json',
  'openapi.yaml',
  'snippets/install.mdx',
  'images/logo.svg',
  'static/CNAME',
  '.github/PULL_REQUEST_TEMPLATE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs/ci/semaphore/setup.md',
  'docs/owners/index.md',
]

const characters = (path: string): readonly string[] => Array.from(path)
const at = (path: string, share: number): number => Math.floor(share * path.length)
const insert =
  (text: string) =>
  (path: string, share: number): string =>
    path.slice(0, at(path, share)) + text + path.slice(at(path, share))

/** Ways to write a path so that it names the same file for some file system or tool, or looks the same to a person. */
const disguises: Readonly<Record<string, (path: string, share: number) => string>> = {
  none: (path) => path,
  'upper case': (path) => path.toUpperCase(),
  'mixed case': (path, share) =>
    characters(path)
      .map((one, index) => (index % 2 === Math.round(share) ? one.toUpperCase() : one))
      .join(''),
  'the long s': (path) => path.replace('s', 'ſ'),
  'the Kelvin sign': (path) => path.replace('k', '\u212a'),
  'full width': (path) => path.replace(/[a-z]/g, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0)),
  'a full-width stop': (path) => path.replace('.', '．'),
  'zero width space': insert('\u200b'),
  'zero width joiner': insert('\u200d'),
  'soft hyphen': insert('\u00ad'),
  'byte order mark': insert('\ufeff'),
  'a tag character': insert('\u{e0041}'),
  'a variation selector': insert('\ufe0f'),
  'a control character': insert('\u0007'),
  'trailing dot': (path) => `${path}.`,
  'trailing dots': (path) => `${path}...`,
  'trailing space': (path) => `${path} `,
  'trailing dots and spaces': (path) => `${path}. . `,
  'spaces after folders': (path) => path.replaceAll('/', ' /'),
  'dots after folders': (path) => path.replaceAll('/', './'),
  'leading space': (path) => ` ${path}`,
  'leading dot slash': (path) => `./${path}`,
  'leading slash': (path) => `/${path}`,
  'doubled slashes': (path) => `a//${path.replaceAll('/', '//')}`,
  'parent folder': (path) => `docs/../${path}`,
  'this folder in between': (path) => `a/./${path}`,
  backslashes: (path) => `a\\${path.replaceAll('/', '\\')}`,
  'percent encoding': (path) =>
    Array.from(Buffer.from(path), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'one percent': (path, share) => {
    const place = at(path, share)
    const one = path.charAt(place)
    return /[!-~]/.test(one) ? path.slice(0, place) + `%${hex(one)}` + path.slice(place + 1) : path
  },
  'double percent': (path) => path.replaceAll('.', '%252e').replaceAll('/', '%252f'),
  'a stream': (path) => `${path}::$DATA`,
  'a named stream': (path) => `${path}:x`,
  'a drive': (path) => `C:${path}`,
  'a short name': (path) => {
    const base = path.split('/').at(-1) ?? ''
    if (base.includes('%')) return path
    const [name = '', extension] = base.replace(/^\./, '').split('.')
    const short = `${name.slice(0, 6).toUpperCase()}~1${extension === undefined ? '' : `.${extension.slice(0, 3)}`}`
    return [...path.split('/').slice(0, -1), short].join('/')
  },
}

/** `allow` as wide as it can be, also with the disguise itself. */
const wide = (path: string): PathGlobs => ({
  allow: ['**', '*', path.replace(/[\\{},[\]?*]/g, '\\$&')],
  deny: [],
  unprotect: [],
})

for (const [name, disguise] of Object.entries(disguises)) {
  test(`every protected file is refused in disguise: ${name}`, () => {
    for (const path of samples) {
      for (const share of [0, 0.5, 0.99]) {
        const disguised = disguise(path, share)
        assert.notEqual(judge(disguised).result, 'allowed', JSON.stringify(disguised))
      }
    }
  })
}

test('nested disguises of a protected name are refused, whatever `allow` says', () => {
  const names = fc.constantFrom(...Object.keys(disguises))
  const share = fc.double({ min: 0, max: 0.999, noNaN: true })
  const folder = fc.constantFrom('', 'docs/', 'a/b/', 'ä/')
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      folder,
      fc.array(fc.tuple(names, share), { maxLength: 3 }),
      (path, folder, steps) => {
        const isAtRoot = rooted.has(path)
        const plain = isAtRoot ? path : folder + path
        const disguised = steps.reduce((text, [name, share]) => disguises[name]?.(text, share) ?? text, plain)
        // In a folder that does not fold away, a name that counts only at the root is another file.
        if (isAtRoot && /^a[/\\%]/i.test(disguised)) return
        assert.notEqual(judge(disguised).result, 'allowed', JSON.stringify(disguised))
        if (disguised.length < 400) {
          assert.notEqual(createPathJudge(wide(disguised))(disguised).result, 'allowed', JSON.stringify(disguised))
        }
      },
    ),
    { numRuns: 500 },
  )
})

const rooted = new Set(
  Object.values(protectedGroups)
    .flat()
    .filter((glob) => glob.startsWith('/'))
    .flatMap(toSamples),
)

test('forms of .git are never allowed by any policy', () => {
  const names = ['.git', '.GIT', '.git ', '.git.', 'git~1', 'GIT~12', '.g\u200cit', '.git::$INDEX_ALLOCATION', '．git']
  for (const name of names) {
    for (const path of [name, `${name}/config`, `a/${name}/hooks/post-checkout`]) {
      const policy = { allow: ['**', path], deny: [], unprotect: ['.git', '.git/config', 'a/.git/hooks/post-checkout'] }
      const { result, rule } = createPathJudge(policy)(path)
      assert.deepEqual([result, rule], ['denied', 'never'], JSON.stringify(path))
    }
  }
})

test('only a glob of unprotect that names the file lets it change', () => {
  const table: [readonly string[], string, boolean][] = [
    [['docs/package.json'], 'docs/package.json', true],
    [['docs/package.json'], 'package.json', false],
    [['docs/package.json'], 'docs/x/package.json', false],
    [['docs/package.json'], 'docs/Package.json', false],
    [['package.json'], 'package.json', true],
    [['package.json'], 'docs/package.json', false],
    [['/package.json'], 'package.json', true],
    [['.github/workflows/docs.yml'], '.github/workflows/docs.yml', true],
    [['.github/workflows/docs.yml'], '.github/workflows/ci.yml', false],
    [['.github/workflows/docs*.yml'], '.github/workflows/docs-de.yml', true],
    [['.github/workflows/docs*.yml'], '.github/workflows/docs/x.yml', false],
    [['packages/*/package.json'], 'packages/a/package.json', true],
    [['packages/*/package.json'], 'packages/a/b/package.json', false],
    [['docs'], 'docs/package.json', false],
    [['docs/'], 'docs/package.json', false],
    [['docs/**'], 'docs/package.json', false],
    [['**'], 'package.json', false],
    [['**/package.json'], 'package.json', false],
    [['{package.json,x}'], 'package.json', false],
    [['*-*.json'], 'package-lock.json', false],
  ]
  for (const [unprotect, path, isAllowed] of table) {
    const { result, rule } = createPathJudge({ ...open, unprotect })(path)
    assert.deepEqual(
      [result, rule],
      isAllowed ? ['allowed', 'unprotect'] : ['protected', 'protected'],
      `${unprotect[0]} ${path}`,
    )
  }
  const both = { allow: ['docs/'], deny: ['docs/x.sh'], unprotect: ['docs/x.sh', 'y.sh', 'docs/z.sh'] }
  assert.deepEqual(
    ['docs/x.sh', 'y.sh', 'docs/z.sh'].map((path) => createPathJudge(both)(path).rule),
    ['deny', 'allow', 'unprotect'],
    'deny wins, and allow still counts',
  )
})

test('site configuration as code may change, and is said to be shown', () => {
  for (const path of [
    'docusaurus.config.ts',
    'website/sidebars.js',
    'docs/.vitepress/config.mts',
    'next.config.mjs',
    'astro.config.mjs',
  ]) {
    assert.deepEqual([judge(path).result, judge(path).rule], ['allowed', 'shown'], path)
  }
  assert.equal(judge('sidebars.json').rule, 'default')
})
