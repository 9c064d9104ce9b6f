import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeContent, type Files } from '../../../../test/support/content-change.ts'
import { findRefusedContent, findShownContent } from './judge-content.ts'

async function shown(base: Files, after: Readonly<Record<string, string | null>>): Promise<readonly string[]> {
  const { shown } = await findShownContent(changeContent(base, after))
  return shown.map(({ path, line, message }) => `${path}:${line} ${message}`)
}

test('code that MDX runs is shown: imports, exports and expressions', async () => {
  const base = {
    'docs/a.mdx': '# A\n',
    'src/Card.tsx': '',
    'docs/part.mdx': '',
    'docs/old.mdx': "import T from 'tabs'\n",
  }
  const now = async (text: string, more: Readonly<Record<string, string>> = {}) => {
    const all = await shown(base, { 'docs/a.mdx': text, ...more })
    return all.map((one) => one.replace('docs/a.mdx:', ''))
  }
  assert.deepEqual(await now("import fs from 'node:fs'\n\n# A\n"), ['1 adds an `import` of `node:fs`'])
  assert.deepEqual(await now("import x from './missing'\n"), ['1 adds an `import` of `./missing`'])
  assert.deepEqual(await now('export const a = 1\n'), ['1 adds an `export`'])
  assert.deepEqual(await now('export * from "./part.mdx"\n'), ['1 adds an `export`'])
  assert.deepEqual(await now('# A\n\n{process.env.KEY}\n'), ['3 adds an expression'])
  assert.deepEqual(await now('A {`${1}`} and <B c={run()} {...d} />\n'), Array(3).fill('1 adds an expression'))
  assert.deepEqual(await now('<B c={<D e={run()} />} />\n'), ['1 adds an expression'])
  assert.deepEqual(await now('<B\n'), ['1 adds text that does not parse as MDX'])
  const data = "import C from '../src/Card'\nimport P from './part.mdx'\nimport S from '@site/src/Card.tsx'\n\n# A\n\n"
  assert.deepEqual(
    await now(`${data}<C a={1} b={['x', { y: -1 }]} c={\`d\`} e={<P f="g" />} h={/* i */ null} />{/* c */}\n`),
    [],
  )
  assert.deepEqual(await now("import T from 'tabs'\n"), [], 'another page has it')
  assert.deepEqual(await now("import N from './new.mdx'\n", { 'docs/new.mdx': '# N\n' }), [])
  assert.deepEqual(await now("import N from './new'\n", { 'docs/new.js': 'run()' }), ['1 adds an `import` of `./new`'])
})

test('a site that reads Markdown as MDX runs its code, and others do not', async () => {
  const page = { 'docs/a.md': '# A\n\n{process.env.KEY}\n' }
  assert.deepEqual(await shown({ 'docusaurus.config.js': '' }, page), ['docs/a.md:3 adds an expression'])
  assert.deepEqual(await shown({ 'docs/docs.json': '{}' }, page), ['docs/a.md:3 adds an expression'])
  assert.deepEqual(await shown({ 'mkdocs.yml': '' }, page), [])
})

test('content that the base has is not new, wherever it moves', async () => {
  const frame = '<iframe src="https://video.example/1"></iframe>'
  const base = { 'a.md': `# A\n\n${frame}\n`, 'b.md': '# B\n', 'c.md': 'Write `<script>x()</script>`.\n' }
  const refused = async (after: Readonly<Record<string, string | null>>) =>
    (await findRefusedContent(changeContent(base, after))).map(({ path, message }) => `${path} ${message}`)
  assert.deepEqual(await refused({ 'a.md': `# A\n\nMore.\n\n${frame}\n` }), [])
  assert.deepEqual(await refused({ 'a.md': null, 'd.md': `# A\n\n${frame}\n` }), [], 'a move')
  assert.deepEqual(await refused({ 'de/a.md': `# A auf Deutsch\n\n${frame}\n` }), [], 'a translation')
  assert.deepEqual(await refused({ 'b.md': frame.replace('/1', '/2') }), ['b.md adds an `<iframe>` of `video.example`'])
  assert.deepEqual(await refused({ 'b.md': '<script>x()</script>\n' }), ['b.md adds a script'], 'code became a script')
})

test('another text or file of an existing script is shown, and another site is refused', async () => {
  const page = (script: string) => `<h1>A</h1>\n${script}\n`
  const base = { 'a.html': page('<script src="/v1.js">b.onclick = run</script>') }
  const judge = async (script: string) => {
    const one = changeContent(base, { 'a.html': page(script) })
    return [...(await findRefusedContent(one)), ...(await findShownContent(one)).shown].map(({ message }) => message)
  }
  assert.deepEqual(await judge('<script src="/v1.js">b.onclick = run</script>'), [])
  assert.deepEqual(await judge('<script src="/v1.js">b.onclick = stop</script>'), ['adds code to a script'])
  assert.deepEqual(await judge('<script src="/v2.js">b.onclick = run</script>'), ['adds code to a script'])
  assert.deepEqual((await judge('<script src="//evil.example/v1.js">b.onclick = run</script>'))[0], 'adds a script')
  assert.deepEqual(
    (await judge('<script src="/v1.js">`<b onclick=x()>`</script>'))[0],
    'adds an event handler (`onclick`)',
  )
})

test('images with a query are accepted from the hosts that the project allows', async () => {
  const page = { 'a.md': '![a](https://badges.example/x.svg?style=flat) ![b](https://evil.example/?k=1)\n' }
  const findings = await findRefusedContent(changeContent({}, page, ['badges.example']))
  assert.deepEqual(
    findings.map(({ message, remedy }) => [message, remedy]),
    [
      [
        'adds an image of `evil.example` with a query',
        'a person may allow it: `docent project update --image-host evil.example`',
      ],
    ],
  )
})

test('the first place of each new host is found, in pages and in navigation', async () => {
  const base = {
    'a.md': '[x](https://known.example/a)\n',
    'b.md': '',
    'docs.json': '{}',
    'c.md': 'See evil.example.org.\n',
  }
  const { hosts } = await findShownContent(
    changeContent(base, {
      'b.md':
        'A [x](https://KNOWN.example/b), [y](//evil.example) and\n[z](https://evil.example/2) [w](https:\\\\\\\\w.example)\n',
      'docs.json': '{ "href": "https://nav.example/" }\n',
      'd.md':
        '`https://code.example`\n\n<a href="https://user@at.example:8080/">x</a> www.bare.example <https://auto.example>\n',
    }),
  )
  assert.deepEqual(
    hosts.map(({ host, path, line }) => `${path}:${line} ${host}`),
    [
      'b.md:1 evil.example',
      'b.md:2 w.example',
      'docs.json:1 nav.example',
      'd.md:3 at.example',
      'd.md:3 www.bare.example',
      'd.md:3 auto.example',
    ],
  )
})
