// `docent check` in process, on folders and on a real repository.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../../../test/support/command.ts'
import { docsSite } from '../../../test/support/docs-sites.ts'
import { type Cleanup, plainGit, temporaryFolder } from '../../../test/support/git-remote.ts'
import { writeFiles } from '../../../test/support/temporary.ts'

const site = docsSite('mintlify')
const page = site.page('guides/deploy')

test('a folder without a problem ends with 0', async (t) => {
  const { code, stdout } = await runCommand(['check', writeSite(t)], {})
  assert.equal(code, 0)
  assert.equal(stdout, 'Checked 12 pages: mintlify (docs.json).\nNo problems.\n')
})

test('problems are listed by file, and the command ends with 5', async (t) => {
  const folder = writeSite(t, {
    [page]: `${site.files[page]}\n[Gone](/gone)\n`,
    'docs.json': (site.files['docs.json'] ?? '').replace(',', ''),
  })
  const { code, stdout, stderr } = await runCommand(['check', folder], {})
  assert.equal(code, 5)
  assert.match(stdout, /^guides\/deploy\.mdx\n +18 {2}wrong {5}links to \/gone, which does not exist {2}link$/m)
  assert.match(stdout, /^docs\.json\n +3 {2}breaking/m)
  assert.equal(stderr, 'docent: 2 problems: 1 breaking, 1 wrong.\n')
})

test('--ignore leaves out problems, and --site names the kind of a site', async (t) => {
  const folder = writeSite(t, { [page]: `${site.files[page]}\n[Gone](/gone)\n` })
  const ignored = await runCommand(['check', '--ignore', 'link=guides', folder], {})
  assert.equal(ignored.code, 0)
  assert.match(ignored.stdout, /^No problems\.\nIgnored: 1\.$/m)
  const plain = await runCommand(['check', '--site', 'plain=.', folder], {})
  assert.match(plain.stdout, /^Checked 13 pages: plain\.\nNo problems in what could be judged\.\n1 of 37 not judged:$/m)
  assert.deepEqual(await ending(['check', folder, '--site', 'mkdocs=none']), [
    2,
    'docent: There is no folder none, which --site names.\n',
  ])
  assert.match((await ending(['check', folder, '--ignore', 'links=.']))[1], /Write kind=path; the kinds are config, /)
})

test('--json and --sarif print one document', async (t) => {
  const folder = writeSite(t, { [page]: `${site.files[page]}\n[Gone](/gone)\n[Moved](/webhook)\n` })
  const json = JSON.parse((await runCommand(['check', folder, '--json'], {})).stdout) as { readonly findings: unknown }
  const finding = { kind: 'link', path: page, line: 18, target: '/gone', severity: 'wrong' }
  const moved = {
    target: '/webhook',
    message: 'links to /webhook, which does not exist',
    suggestion: '/guides/webhooks',
  }
  assert.deepEqual(json.findings, [
    { ...finding, message: 'links to /gone, which does not exist' },
    { ...finding, line: 19, ...moved },
  ])
  assert.match((await runCommand(['check', folder], {})).stdout, /not exist; did you mean \/guides\/webhooks\?/)
  const sarif = JSON.parse((await runCommand(['check', folder, '--sarif'], {})).stdout) as Sarif
  const [result, other] = sarif.runs[0]?.results ?? []
  assert.equal(result?.ruleId, 'link')
  assert.equal(result.message.text, 'Links to /gone, which does not exist.')
  assert.match(other?.message.text ?? '', /exist\. Did you mean \/guides\/webhooks\?$/)
  assert.deepEqual(result.locations[0]?.physicalLocation, {
    artifactLocation: { uri: page },
    region: { startLine: 18 },
  })
})

type Sarif = {
  readonly runs: readonly {
    readonly results: readonly {
      readonly ruleId: string
      readonly message: { readonly text: string }
      readonly locations: readonly { readonly physicalLocation: unknown }[]
    }[]
  }[]
}

test('--since reports only what the branch introduced', async (t) => {
  const reduced = site.page('guides/teams')
  const folder = writeSite(t, {
    [page]: `${site.files[page]}\n[Old](/old-fault)\n`,
    [reduced]: `${site.files[reduced]}\n## Roles\n`,
  })
  const git = (...args: readonly string[]) =>
    plainGit(folder, ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args])
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-qm', 'Begin')
  git('checkout', '-qb', 'change')
  writeFiles(folder, {
    [page]: `${site.files[page]}\n[Old](/old-fault)\n\n[New](/new-fault)\n`,
    [reduced]: '---\ntitle: Teams\n---\n\nNothing.\n',
    'node_modules/a.md': '[x](y)',
    '.gitignore': 'node_modules\n',
  })
  const { code, stdout } = await runCommand(['check', folder, '--since', 'main'], {})
  assert.equal(code, 5)
  assert.match(stdout, /new-fault/)
  assert.doesNotMatch(stdout, /old-fault|node_modules/)
  assert.match(stdout, /^New: 2\. Fixed: 0\. In the base already: 1\.$/m)
  assert.match(stdout, /^guides\/teams\.mdx\n {2}lost {2}the heading guides\/teams\n {2}lost {2}the heading Roles$/m)
  // In a folder of the repository, paths are those below it.
  const inside = await runCommand(['check', join(folder, 'guides'), '--since', 'main', '--json'], {})
  assert.equal((JSON.parse(inside.stdout) as { readonly remaining: number }).remaining, 0)
})

test('a folder where nothing can be judged ends with 7, unless that is allowed', async (t) => {
  const empty = temporaryFolder(t)
  assert.deepEqual(await ending(['check', empty]), [
    7,
    'docent: There is no page here that Docent can check. Give the folder of the documentation, or --allow-empty.\n',
  ])
  const unknown = temporaryFolder(t)
  writeFiles(unknown, { 'a.md': '[b](/b)\n', 'c.org': '* C\n' })
  const [code, words] = await ending(['check', unknown])
  assert.equal(code, 7)
  assert.match(words, /Nothing could be judged\. Name the kind of the site with --site/)
  for (const folder of [empty, unknown])
    assert.equal((await runCommand(['check', folder, '--allow-empty'], {})).code, 0)
  const { stdout } = await runCommand(['check', unknown, '--json'], {})
  const { coverage } = JSON.parse(stdout) as { readonly coverage: unknown }
  const notJudged = [
    { reason: 'site', count: 1, example: 'a.md:1 /b' },
    { reason: 'syntax', count: 1, example: 'c.org:1' },
  ]
  assert.deepEqual(coverage, { judged: 0, notJudged, site: { judged: 0, notJudged } })
  const sarif = JSON.parse((await runCommand(['check', unknown, '--sarif'], {})).stdout) as {
    readonly runs: readonly { readonly properties: unknown }[]
  }
  assert.deepEqual(sarif.runs[0]?.properties, { coverage: { judged: 0, notJudged } })
})

test('a wrong folder, ref or option is refused with what to do', async (t) => {
  const folder = writeSite(t)
  assert.deepEqual(await ending(['check', join(folder, 'none')]), [
    2,
    `docent: There is no folder ${join(folder, 'none')}.\n`,
  ])
  assert.deepEqual(await ending(['check', folder, '--since', 'main']), [
    2,
    'docent: --since needs a folder in a git repository.\n',
  ])
  assert.match((await ending(['check', folder, '--json', '--sarif']))[1], /Use one of --format, --json and --sarif/)
  plainGit(folder, ['init', '-q'])
  const [code, words] = await ending(['check', folder, '--since', 'nowhere'])
  assert.equal(code, 1)
  assert.match(words, /HEAD and nowhere have no common commit/)
})

async function ending(args: readonly string[]): Promise<[number | null, string]> {
  const { code, stderr } = await runCommand(args, {})
  return [code, stderr]
}

function writeSite(t: Cleanup, change: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder(t)
  writeFiles(folder, { ...site.files, ...change })
  return folder
}
