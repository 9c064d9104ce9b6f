// Finds the obstacles between this checkout and a release, besides checks and tests: a release stops at them.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTexts } from './names/places.ts'
import { isDate, newestSection, tagOf } from './notes.ts'

export type Obstacle = { readonly what: string; readonly remedy: string }

export function findObstacles(root: string, version: string): readonly Obstacle[] {
  return [...gitObstacles(root, version), ...textObstacles(root, version), ...archiveObstacles(root, version)]
}

/** True: an earlier attempt made the tag of this commit. */
export function isTagged(root: string, version: string): boolean {
  const tagged = commitOf(root, `refs/tags/${tagOf(version)}`)
  return tagged !== undefined && tagged === commitOf(root, 'HEAD')
}

function gitObstacles(root: string, version: string): readonly Obstacle[] {
  const tag = tagOf(version)
  const changed = git(root, 'status', '--porcelain').split('\n').filter(Boolean)
  const branch = git(root, 'branch', '--show-current').trim()
  const isTaken = commitOf(root, `refs/tags/${tag}`) !== undefined && !isTagged(root, version)
  return [
    ...(changed.length === 0
      ? []
      : [
          {
            what: `The tree has ${changed.length} changes that are not committed, such as ${changed[0]?.slice(3)}.`,
            remedy: 'Commit or stash them.',
          },
        ]),
    ...(branch === 'main'
      ? []
      : [{ what: `The branch is ${branch || 'no branch'}.`, remedy: 'Releases are made of main.' }]),
    ...(isTaken
      ? [{ what: `The tag ${tag} is that of another commit.`, remedy: 'Raise the version: a release never changes.' }]
      : []),
  ]
}

const unpublished =
  /\bnot (?:been )?(?:published|released) yet\b|\bno (?:published image|release has been|version is released)/i

function textObstacles(root: string, version: string): readonly Obstacle[] {
  const date = newestSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.date ?? ''
  const dated = isDate(date)
    ? []
    : [{ what: `CHANGELOG.md says "${date}".`, remedy: `Give ${version} its day, such as 2026-12-01.` }]
  const texts = listTexts(root).filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
  const saying = texts.flatMap((path) => {
    const found = unpublished.exec(readFileSync(join(root, path), 'utf8'))
    return found ? [{ what: `${path} says "${found[0]}".`, remedy: 'Say how to install the release instead.' }] : []
  })
  return [...dated, ...saying]
}

function archiveObstacles(root: string, version: string): readonly Obstacle[] {
  const path = `test/upgrades/${version}.tar.zst`
  if (existsSync(join(root, path))) return []
  return [{ what: `There is no ${path}.`, remedy: 'Run `npm run release:archive`, and commit it.' }]
}

function commitOf(root: string, ref: string): string | undefined {
  try {
    return git(root, 'rev-parse', '--verify', '--quiet', `${ref}^{commit}`).trim()
  } catch {
    return undefined
  }
}

function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
