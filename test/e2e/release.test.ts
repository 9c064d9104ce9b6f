// The parts of a release: which places must agree, what stops it, its notes, and how a second attempt continues. test/packages runs
// it dry.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { version } from '../../src/service/version.ts'
import { type Command, publishCommands } from '../../scripts/release/commands.ts'
import { newestSection, notesOf } from '../../scripts/release/notes.ts'
import { findObstacles } from '../../scripts/release/obstacles.ts'
import { publish } from '../../scripts/release/publish.ts'
import { differing, readVersions } from '../../scripts/release/versions.ts'
import { removeFolder, temporaryFolder } from '../support/temporary.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const manifests = ['package.json', 'package-lock.json', 'client/package.json', 'dashboard/package.json']

test('all places have one version, and each that has another is found', async (t) => {
  assert.deepEqual(differing(readVersions(root)), [])
  const folder = await temporaryFolder('versions')
  t.after(() => removeFolder(folder))
  for (const path of [...manifests, 'CHANGELOG.md']) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await cp(join(root, path), join(folder, path))
  }
  for (const path of manifests) {
    const before = await readFile(join(root, path), 'utf8')
    await writeFile(join(folder, path), before.replace(`"version": "${version}"`, '"version": "9.9.9"'))
    assert.deepEqual(differing(readVersions(folder)), [{ place: path, version: '9.9.9' }])
    await writeFile(join(folder, path), before)
  }
  await writeFile(join(folder, 'CHANGELOG.md'), '## [9.9.9] - 2026-12-01\n')
  assert.deepEqual(
    differing(readVersions(folder)).map(({ version: other }) => other),
    ['9.9.9'],
  )
})

test('a release stops at each obstacle, and names its remedy', async (t) => {
  const folder = await temporaryFolder('obstacles')
  t.after(() => removeFolder(folder))
  const git = (...args: readonly string[]) =>
    run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
  const found = () => findObstacles(folder, '1.2.3').map(({ what, remedy }) => `${what} ${remedy}`)
  const commit = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text)
    await git('add', '--all')
    await git('commit', '--quiet', '--allow-empty', '--message=A')
  }
  await git('-c', 'init.defaultBranch=main', 'init', '--quiet')
  await mkdir(join(folder, 'test/upgrades'), { recursive: true })
  const changelog = '# Changelog\n\n## [1.2.3] - 2026-12-01\n\n- One\n'
  const whole = { 'CHANGELOG.md': changelog, 'README.md': 'Install it.\n', 'test/upgrades/1.2.3.tar.zst': 'x' }
  await commit(whole)
  assert.deepEqual(found(), [])

  await writeFile(join(folder, 'README.md'), 'Changed.\n')
  assert.match(found().join(), /^The tree has 1 changes .* such as README\.md\. Commit or stash them\.$/)
  await commit({ 'README.md': 'The packages are not published yet.\n' })
  assert.match(found().join(), /^README\.md says "not published yet"\. Say how to install/)
  await commit({ ...whole, 'CHANGELOG.md': changelog.replace('2026-12-01', 'not released yet') })
  assert.match(found().join(), /^CHANGELOG\.md says "not released yet"\. Give 1\.2\.3 its day/)
  await commit(whole)
  await git('tag', 'v1.2.3')
  assert.deepEqual(found(), [], 'an earlier attempt tagged this commit')
  await commit({})
  assert.match(found().join(), /^The tag v1\.2\.3 is that of another commit\. Raise the version/)
  await git('tag', '--delete', 'v1.2.3')
  await git('switch', '--quiet', '--create', 'side')
  assert.match(found().join(), /^The branch is side\./)
  await git('switch', '--quiet', 'main')
  await git('rm', '--quiet', 'test/upgrades/1.2.3.tar.zst')
  await commit({})
  assert.match(found().join(), /^There is no test\/upgrades\/1\.2\.3\.tar\.zst\. Run `npm run release:archive`/)
})

test('notes are the newest section of a changelog, with whole addresses', () => {
  const changelog =
    '# Changelog\n\n[Versions](docs/versions.md)\n\n## [0.2.0] - 2027-01-05\n\n- A ([guide](docs/a.md#b)), ' +
    '[site](https://example.com)\n\n## [0.1.0] - 2026-12-01\n\n- B\n'
  const section = newestSection(changelog) ?? assert.fail()
  assert.deepEqual([section.version, section.date], ['0.2.0', '2027-01-05'])
  assert.equal(
    notesOf(section, 'https://host/o/r'),
    '- A ([guide](https://host/o/r/blob/v0.2.0/docs/a.md#b)), [site](https://example.com)\n',
  )
  assert.equal(newestSection('# Changelog\n'), undefined)
})

test('a second attempt to publish skips what the first one did', () => {
  const packaged = (name: string) => ({
    name,
    version: '1.0.0',
    tarball: `/p/${name}.tgz`,
    sbom: `/p/${name}.cdx.json`,
  })
  const packages = [packaged('docent'), packaged('other')]
  const names = { packages: { service: 'docent', other: 'other' }, repository: 'https://host/o/r', image: 'host/o/r' }
  const commands = publishCommands({ version: '1.0.0', names, folder: '/p', packages, files: ['/p/SHA256SUMS'] })
  const attempt = (isTagged: boolean, published: readonly string[], fails?: string) => {
    const ran: string[] = []
    const again = (command: Command) => {
      ran.push(command.slice(0, 3).join(' '))
      if (command.includes(fails ?? '')) throw new Error('no network')
    }
    const standings = new Map(published.map((name) => [name, { kind: 'ours', versions: ['1.0.0'] } as const]))
    const given = { version: '1.0.0', commands, packages, isTagged, standings, say: () => undefined, run: again }
    if (fails === undefined) publish(given)
    else assert.throws(() => publish(given), /no network/)
    return ran
  }
  assert.deepEqual(attempt(false, [], '/p/docent.tgz'), [
    'git tag --annotate',
    'git push origin',
    'npm publish /p/other.tgz',
    'npm publish /p/docent.tgz',
  ])
  assert.deepEqual(attempt(true, ['other']), [
    'git push origin',
    'npm publish /p/docent.tgz',
    'docker buildx build',
    'gh release create',
  ])
})
