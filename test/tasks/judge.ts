// Judges a change of a documentation site without a model and without an opinion: is what the task wants there, is every
// other line still there, do links and navigation lead somewhere, is nothing else changed, and is the text of the pull
// request true. Only links and navigation are read by the checks of the product; everything else is independent of it.

import { matchesGlob } from 'node:path'
import { compareChecks } from '../../src/checks/compare.ts'
import type { Finding } from '../../src/checks/finding.ts'
import { findMoves } from '../../src/checks/moves.ts'
import type { SiteTree } from '../../src/sites/tree.ts'
import { checkFiles } from '../support/check-files.ts'
import { memoryTree, type SiteFiles } from '../support/docs-sites.ts'
import type { Aspect, Task, Wanted } from './task.ts'

export type Fault = { readonly aspect: Aspect; readonly about: string }

/** The title and the text that the agent wrote; undefined without a pull request. */
export type Proposal = { readonly title: string; readonly text: string }

/** Returns what is wrong with the files as they are now; nothing if the task is done well. */
export async function judge(task: Task, now: SiteFiles, proposal: Proposal | undefined): Promise<readonly Fault[]> {
  return [
    ...judgeTask(task.wanted, now),
    ...judgeContent(task, now),
    ...(await judgeChecks(task.files, now)),
    ...judgeOutside(task, now),
    ...(proposal ? judgeText(task, now, proposal) : [{ aspect: 'task' as const, about: 'there is no pull request' }]),
  ]
}

/** 3: could be merged. 0: the task is not done, or content is lost. In between, one less for each aspect. */
export function scoreOf(faults: readonly Fault[]): number {
  const wrong = new Set(faults.map(({ aspect }) => aspect))
  return wrong.has('task') || wrong.has('content') ? 0 : Math.max(1, 3 - wrong.size)
}

function judgeTask(wanted: readonly Wanted[], now: SiteFiles): readonly Fault[] {
  return wanted.flatMap(({ path, contains = [], lacks = [], isGone = false }) => {
    const text = now[path]
    if (isGone) return text === undefined ? [] : [fault('task', `${path} is still there`)]
    if (text === undefined) return [fault('task', `${path} is missing`)]
    return [
      ...contains.filter((part) => !text.includes(part)).map((part) => fault('task', `${path} lacks ${part}`)),
      ...lacks.filter((part) => text.includes(part)).map((part) => fault('task', `${path} still contains ${part}`)),
    ]
  })
}

/** Every line of the base is as often in the site as before, wherever it is now. The addresses of links may differ. */
function judgeContent({ files, mayLose, deletes }: Task, now: SiteFiles): readonly Fault[] {
  const left = countLines(now)
  const kept = Object.fromEntries(Object.entries(files).filter(([path]) => path !== deletes))
  return [...countLines(kept)].flatMap(([line, count]) => {
    const isLost = (left.get(line) ?? 0) < count && !mayLose?.test(line)
    return isLost ? [fault('content', `the line is lost: ${line}`)] : []
  })
}

function countLines(files: SiteFiles): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const pages = Object.entries(files).filter(([path]) => /\.(?:mdx?|rst)$/.test(path) && !path.endsWith('SUMMARY.md'))
  for (const [, text] of pages) {
    for (const line of text.split('\n').map((one) => one.replaceAll(/\]\([^)]*\)/g, ']()').trim())) {
      if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1)
    }
  }
  return counts
}

async function judgeChecks(base: SiteFiles, now: SiteFiles): Promise<readonly Fault[]> {
  const [before, after] = [await check(base), await check(now)]
  const moves = findMoves(before.tree.entries(), after.tree.entries())
  return compareChecks(before.findings, after.findings, moves).introduced.map(toFault)
}

type Checked = { readonly tree: SiteTree; readonly findings: readonly Finding[] }

const checked = new WeakMap<SiteFiles, Promise<Checked>>()

/** Once for the same files. */
function check(files: SiteFiles): Promise<Checked> {
  const known = checked.get(files)
  if (known) return known
  const tree = memoryTree(files)
  const checking = checkFiles(tree).then(({ findings }) => ({ tree, findings }))
  checked.set(files, checking)
  return checking
}

const ofNavigation: readonly string[] = ['navigation', 'unlisted', 'redirect', 'config']

function toFault({ kind, path, line, message }: Finding): Fault {
  return fault(ofNavigation.includes(kind) ? 'navigation' : 'links', `${path}:${line} ${message}`)
}

function judgeOutside({ files, mayChange }: Task, now: SiteFiles): readonly Fault[] {
  return changedPaths(files, now)
    .filter((path) => !mayChange.some((glob) => matchesGlob(path, glob)))
    .map((path) => fault('outside', `${path} is changed`))
}

function judgeText({ files, text }: Task, now: SiteFiles, proposal: Proposal): readonly Fault[] {
  const said = `${proposal.title}\n\n${proposal.text}`
  const changed = changedPaths(files, now)
  const gone = changed.filter((path) => now[path] === undefined)
  const unknown = [...said.matchAll(/`([\w./@-]+\.(?:mdx?|rst|json|ya?ml|toml|ts|js|mjs|py))`/g)]
    .map(([, path = '']) => path)
    .filter(
      (path) => ![...Object.keys(files), ...Object.keys(now)].some((one) => one === path || one.endsWith(`/${path}`)),
    )
  const counted = /\b(\d+) (?:pages|files)\b/.exec(said)?.[1]
  return [
    ...text.names.filter((name) => !name.test(said)).map((name) => fault('text', `it does not name ${name.source}`)),
    ...(text.never ?? []).filter((lie) => lie.test(said)).map((lie) => fault('text', `it says ${lie.source}`)),
    ...gone
      .filter((path) => !said.includes(nameOf(path)))
      .map((path) => fault('text', `it does not say that ${path} is gone`)),
    ...unknown.map((path) => fault('text', `it names ${path}, which does not exist`)),
    ...(counted !== undefined && Number(counted) !== changed.length
      ? [fault('text', `it counts ${counted} files, and ${changed.length} are changed`)]
      : []),
  ]
}

/** `teams` for `docs/guides/teams.md` */
function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.\w+$/, '')
}

export function changedPaths(base: SiteFiles, now: SiteFiles): readonly string[] {
  const paths = new Set([...Object.keys(base), ...Object.keys(now)])
  return [...paths].filter((path) => base[path] !== now[path]).toSorted()
}

function fault(aspect: Aspect, about: string): Fault {
  return { aspect, about }
}
