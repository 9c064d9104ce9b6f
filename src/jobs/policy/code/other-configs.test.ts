import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  added,
  astro,
  docusaurus,
  type Edit,
  nextra,
  sidebars,
  testEdits,
  vitepress,
} from '../../../../test/support/site-configs.ts'

const edits: readonly Edit[] = [
  [
    'an entry in TypeScript',
    '.vitepress/config.mts',
    vitepress,
    'nav: [',
    "nav: [{ text: 'API', link: '/api/' }, ",
    [],
  ],
  [
    'an entry that a function returns',
    '.vitepress/config.mts',
    vitepress,
    'items: [',
    "items: [{ text: 'X', link: '/x' }, ",
    [],
  ],
  ['a type', '.vitepress/config.mts', vitepress, 'const base: string', 'const base: `/${string}/`', []],
  ['the value of a constant', '.vitepress/config.mts', vitepress, "'/docs/'", "'/d/'", []],
  [
    'a call in a function that is there',
    '.vitepress/config.mts',
    vitepress,
    'md.use(anchor)',
    'md.use(anchor); md.use(evil)',
    ['12: a function'],
  ],
  [
    'a call beside the entries',
    '.vitepress/config.mts',
    vitepress,
    'return [{',
    'run(); return [{',
    ['15: a function'],
  ],
  [
    'an enum, which is not understood',
    '.vitepress/config.mts',
    vitepress,
    'const base',
    'enum E { a }\nconst base',
    ['file: something that cannot be read as data'],
  ],
  ['an option of an integration', 'astro.config.mjs', astro, 'items: [{', "items: [{ label: 'B', slug: 'b' }, {", []],
  [
    'a head of an integration',
    'astro.config.mjs',
    astro,
    "title: 'Docs'",
    "title: 'Docs', head: [{ tag: 'script', content: 'x' }]",
    ['5: something that every page loads', '5: something that every page loads'],
  ],
  [
    'an integration',
    'astro.config.mjs',
    astro,
    'integrations: [',
    'integrations: [starlight({}), ',
    ['5: a call of `starlight`'],
  ],
  ['options of a package that was required', 'next.config.js', nextra, "destination: '/b'", "destination: '/c'", []],
  ['another package', 'next.config.js', nextra, "'nextra'", "'evil'", ['1: a call']],
  ['an entry of a sidebar', 'sidebars.js', sidebars, "'plugins/a'", "'plugins/a', 'plugins/b'", []],
  ['a call in a sidebar', 'sidebars.ts', sidebars, "'intro'", 'require("./x")', ['1: a call of `require`']],
  [
    'JSX, which is not understood',
    'theme.config.jsx',
    'export default { logo: 1 }',
    '1',
    '<b>x</b>',
    ['file: something that cannot be read as data'],
  ],
  [
    'Python, which is not understood',
    'docs/conf.py',
    'project = "a"',
    '"a"',
    '"b"',
    ['file: something that cannot be read as data'],
  ],
  ['a syntax error', 'sidebars.js', sidebars, 'module', '{{', ['file: something that cannot be read as data']],
  ['JSON', 'sidebars.json', '{"a": ["b"]}', '"b"', '"c"', []],
  [
    'what a command gets',
    'next.config.js',
    "const cmd = 'ls'\nrequire('child_process').execSync(cmd)\n",
    "'ls'",
    "'rm -r /'",
    ['1: an expression'],
  ],
  [
    'what a command gets in an object',
    'next.config.js',
    "const c = 'ls'\nconst o = { c }\nrun(o)\n",
    "'ls'",
    "'rm'",
    ['1: an expression'],
  ],
  [
    'what a command gets from a function',
    'next.config.js',
    "function f() { return 'ls' }\nrun(f())\n",
    "'ls'",
    "'rm'",
    ['1: a function'],
  ],
]

testEdits(edits)

test('a new file shows all its code, and a file without code nothing', () => {
  assert.equal(added('docusaurus.config.js', undefined, docusaurus).length, 7)
  assert.deepEqual(added('sidebars.js', undefined, sidebars), [])
  assert.deepEqual(added('sidebars.js', 'not { a script', sidebars), [])
})

test('text that is nested deeper than the stack is shown, and does not throw', () => {
  const deep = `module.exports = ${'['.repeat(60_000)}${']'.repeat(60_000)}`
  assert.deepEqual(added('sidebars.js', sidebars, deep), ['file: something that cannot be read as data'])
})
