import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../../test/support/linear.ts'
import { added, docusaurus, type Edit, testEdits } from '../../../../test/support/site-configs.ts'
import { findAddedCode } from './added-code.ts'

const edits: readonly Edit[] = [
  ['a title', 'docusaurus.config.js', docusaurus, "title: 'My Site',\n  url", "title: 'Other',\n  url", []],
  [
    'a navigation entry',
    'docusaurus.config.js',
    docusaurus,
    '      items: [\n',
    "      items: [\n{ to: '/x', label: 'X', items: [1, null, -1, true] },",
    [],
  ],
  [
    'the text around a template expression',
    'docusaurus.config.js',
    docusaurus,
    'My Project.',
    'Acme, Inc. All rights reserved.',
    [],
  ],
  ['quotes and formatting', 'docusaurus.config.js', docusaurus, "'throw',", '"throw",\n\n', []],
  ['a comment', 'docusaurus.config.js', docusaurus, 'const config', '// new\nconst config', []],
  ['an option of a preset', 'docusaurus.config.js', docusaurus, 'edit/main/', 'edit/master/', []],
  [
    'a new list of its own',
    'docusaurus.config.js',
    docusaurus,
    'const config = {',
    "const tags = ['a', 'b']\nconst config = {\n  tags,",
    [],
  ],
  [
    'removed code',
    'docusaurus.config.js',
    docusaurus,
    "theme: { customCss: require.resolve('./src/css/custom.css') },",
    '',
    [],
  ],
  ['an import', 'docusaurus.config.js', docusaurus, '// @ts-check', "import x from './x.js'", ['1: an import']],
  ['a side effect', 'docusaurus.config.js', docusaurus, '// @ts-check', "import './x.js'", ['1: an import']],
  ['require', 'docusaurus.config.js', docusaurus, "'throw'", "require('./x')", ['8: a call of `require`']],
  ['another file of require', 'docusaurus.config.js', docusaurus, './src/css/custom.css', './evil.js', ['12: a call']],
  ['a call', 'docusaurus.config.js', docusaurus, "'throw'", 'run()', ['8: a call of `run`']],
  ['eval', 'docusaurus.config.js', docusaurus, "'throw'", "eval('1')", ['8: a call of `eval`']],
  ['new', 'docusaurus.config.js', docusaurus, "'throw'", "new Function('x')", ['8: a `new`']],
  [
    'a second use of a call that is there',
    'docusaurus.config.js',
    docusaurus,
    "'throw'",
    'new Date().getFullYear()',
    ['8: a call'],
  ],
  [
    'a template expression',
    'docusaurus.config.js',
    docusaurus,
    "'throw'",
    '`${process.env.TOKEN}`',
    ['8: a template expression'],
  ],
  [
    'another template expression',
    'docusaurus.config.js',
    docusaurus,
    'new Date().getFullYear()',
    'process.env.TOKEN',
    ['24: a template expression'],
  ],
  [
    'a second template expression',
    'docusaurus.config.js',
    docusaurus,
    ' My Project',
    ' ${process.env.X}',
    ['24: a template expression'],
  ],
  ['a tagged template', 'docusaurus.config.js', docusaurus, "'throw'", '$`ls`', ['8: a tagged template']],
  [
    'a variable of the environment',
    'docusaurus.config.js',
    docusaurus,
    "'throw'",
    'process.env.TOKEN',
    ['8: an expression'],
  ],
  [
    'a dynamic import',
    'docusaurus.config.js',
    docusaurus,
    'export default config',
    "export default import('./x.js')",
    ['29: an import'],
  ],
  [
    'a getter',
    'docusaurus.config.js',
    docusaurus,
    "onBrokenLinks: 'throw'",
    "get onBrokenLinks() { return 'x' }",
    ['8: a getter or setter'],
  ],
  [
    'a method',
    'docusaurus.config.js',
    docusaurus,
    "onBrokenLinks: 'throw'",
    "onBrokenLinks() { return 'x' }",
    ['8: a function'],
  ],
  [
    'a computed key',
    'docusaurus.config.js',
    docusaurus,
    "onBrokenLinks: 'throw'",
    "[run()]: 'x'",
    ['8: a call of `run`'],
  ],
  ['a prototype', 'docusaurus.config.js', docusaurus, "onBrokenLinks: 'throw'", '__proto__: {}', ['8: an expression']],
  ['a spread of a call', 'docusaurus.config.js', docusaurus, "onBrokenLinks: 'throw'", '...load()', ['8: a spread']],
  [
    'a spread of a call in a list',
    'docusaurus.config.js',
    docusaurus,
    '      items: [\n',
    '      items: [...load(),\n',
    ['19: a spread'],
  ],
  ['a function', 'docusaurus.config.js', docusaurus, "'throw'", '() => 1', ['8: a function']],
  ['a regular expression', 'docusaurus.config.js', docusaurus, "'throw'", '/(a+)+$/', ['8: an expression']],
  [
    'an assignment',
    'docusaurus.config.js',
    docusaurus,
    'export default',
    "process.env.X = 'y'\nexport default",
    ['29: an assignment'],
  ],
  [
    'a re-export',
    'docusaurus.config.js',
    docusaurus,
    'export default',
    "export * from './x.js'\nexport default",
    ['29: an export of another module'],
  ],
  [
    'a statement',
    'docusaurus.config.js',
    docusaurus,
    'export default',
    'for (;;) {}\nexport default',
    ['29: a statement'],
  ],
  [
    'a module by its name',
    'docusaurus.config.js',
    docusaurus,
    "plugins: ['",
    "plugins: ['./evil.js', '",
    ['15: a module that the site loads'],
  ],
  [
    'a script of every page',
    'docusaurus.config.js',
    docusaurus,
    "onBrokenLinks: 'throw'",
    "scripts: [{ src: 'https://evil.example/x.js' }]",
    ['8: something that every page loads'],
  ],
]

testEdits(edits)

test('any string in data passes, and any call in its place is found', () => {
  const places = ["'throw'", "'Tutorial'", "'dark'", "'https://github.com/a/b'"]
  const code = fc.constantFrom(
    'f()',
    "require('x')",
    'new X',
    'a.b',
    '`${x}`',
    't`x`',
    'import("x")',
    'x = 1',
    '(() => 1)()',
  )
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.string(), code, (place, text, code) => {
      const with_ = (value: string): string => docusaurus.replace(place, () => value)
      assert.deepEqual(added('docusaurus.config.js', docusaurus, with_(JSON.stringify(text))), [])
      assert.equal(added('docusaurus.config.js', docusaurus, with_(code)).length, 1)
    }),
  )
})

test('a script full of added code is judged quickly', () => {
  const script = (size: number) => 'f()\n'.repeat(size)
  const config = { language: 'javascript', namesModules: true } as const
  assertLinear(script, (text) => findAddedCode(config, undefined, text), { size: 4_000, name: 'calls' })
})
