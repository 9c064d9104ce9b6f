import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { removeFolder, temporaryFolder, writeFiles } from '../../../test/support/temporary.ts'

async function folderWith(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder('forms')
  t.after(() => removeFolder(folder))
  writeFiles(folder, files)
  return folder
}

const site = '{ "name": "A", "navigation": ["index"] }\n'
const files = {
  'docs.json': site,
  'broken.md': '---\ntitle: [\n---\n\n# Broken\n',
  'index.md': '# A\n\n[one](/one) and [two](/two)\n\n[one](/one)\n',
}

/** The commands that a runner obeys: all before the report, whose lines are words of pages. */
function commandsOf(stdout: string): readonly string[] {
  const lines = stdout.split('\n')
  const stop = lines.findIndex((line) => line.startsWith('::stop-commands::'))
  const end = lines.indexOf(`::${lines[stop]?.slice('::stop-commands::'.length)}::`)
  assert.ok(stop >= 0 && lines.slice(end + 1).join('') === '')
  return lines.slice(0, stop)
}

test('--format github prints annotations, the worst first, and writes a summary', async (t) => {
  const folder = await folderWith(t, files)
  const summary = join(await folderWith(t, {}), 'summary.md')
  const { code, stdout } = await runCommand(['check', folder, '--format', 'github'], { GITHUB_STEP_SUMMARY: summary })
  assert.equal(code, 5)
  const [first, ...others] = commandsOf(stdout)
  assert.match(first ?? '', /^::error file=broken\.md,line=\d+,title=frontmatter::/)
  assert.equal(others.length, 3, stdout)
  assert.match(others[0] ?? '', /^::warning file=index\.md,line=3,title=link::Links to \/one, which does not exist\./)
  assert.match(stdout, /Checked 2 pages/)
  const text = await readFile(summary, 'utf8')
  assert.match(text, /^\| level \| place \| kind \| problem \|\n\| --- /)
  assert.match(text, /\| warning \| index\\\.md\\:3 \| link \| Links to \\\/one\\, which does not exist\\\. \|/)
})

test('words of pages end no command and become no Markdown', async (t) => {
  const name = '::error::a,b:c|%.md'
  const target = '/x_y_z'
  const folder = await folderWith(t, { 'docs.json': site, [name]: `# A\n\n[one](<${target}>)\n` })
  const summary = join(await folderWith(t, {}), 'summary.md')
  const { stdout } = await runCommand(['check', folder, '--format', 'github'], { GITHUB_STEP_SUMMARY: summary })
  assert.ok(
    commandsOf(stdout).some((line) =>
      line.startsWith('::warning file=%3A%3Aerror%3A%3Aa%2Cb%3Ac|%25.md,line=3,title=link::'),
    ),
    stdout,
  )
  const row = (await readFile(summary, 'utf8')).split('\n').find((line) => line.includes('link')) ?? ''
  assert.equal(row.replaceAll(/\\./g, '').split('|').length, 6, row)
  assert.doesNotMatch(row, /(?<!\\)_/)
})

test('more than ten problems of a level are in the summary alone', async (t) => {
  const links = Array.from({ length: 30 }, (_, at) => `[x](/gone-${at})`).join('\n')
  const folder = await folderWith(t, { 'docs.json': site, 'index.md': `# A\n\n${links}\n` })
  const summary = join(await folderWith(t, {}), 'summary.md')
  const { stdout } = await runCommand(['check', folder, '--format', 'github'], { GITHUB_STEP_SUMMARY: summary })
  assert.equal(stdout.split('\n').filter((line) => line.startsWith('::warning')).length, 10)
  assert.equal((await readFile(summary, 'utf8')).split('\n').filter((line) => line.includes('gone')).length, 30)
})

test('--format codequality gives each problem a fingerprint that an edit above keeps', async (t) => {
  const folder = await folderWith(t, files)
  type Report = readonly {
    readonly fingerprint: string
    readonly location: { readonly lines: { readonly begin: number } }
  }[]
  const report = async (of: string) => {
    const { stdout } = await runCommand(['check', of, '--format', 'codequality'], {})
    return JSON.parse(stdout) as Report
  }
  const before = await report(folder)
  assert.equal(new Set(before.map(({ fingerprint }) => fingerprint)).size, 4)
  const one = before.find(({ location }) => location.lines.begin === 3)
  assert.deepEqual(
    { ...one, fingerprint: '' },
    {
      description: 'Links to /one, which does not exist.',
      check_name: 'link',
      fingerprint: '',
      severity: 'major',
      location: { path: 'index.md', lines: { begin: 3 } },
    },
  )
  const edited = await folderWith(t, { ...files, 'index.md': files['index.md'].replace('# A', '# A\n\nMore.') })
  assert.deepEqual(
    (await report(edited)).map(({ fingerprint }) => fingerprint),
    before.map(({ fingerprint }) => fingerprint),
  )
})

test('a folder below the current one is a part of the paths that hosts get', async () => {
  const { stdout } = await runCommand(['check', 'examples/docs', '--format', 'codequality'], {})
  const [found] = JSON.parse(stdout) as readonly { readonly location: { readonly path: string } }[]
  assert.match(found?.location.path ?? '', /^examples\/docs\//)
})
