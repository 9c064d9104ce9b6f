// Makes the cases of one repository for `bench/affected.ts`: commits that changed code and pages together, as many that changed code
// alone, the pages at the parent of each, and the history before it. What is read of the pages is kept by the id of their content
// in a folder of the caller, so that the next run takes seconds.

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMessage } from '../../src/affected/subjects.ts'
import type { Change, ChangedFile, Page, PageTerm, PastCommit } from '../../src/affected/types.ts'
import { isGenerated } from '../../src/agent/rules/left-alone/left-alone.ts'
import { readPage } from '../../src/checks/facts/read-page.ts'
import { termsOf } from '../../src/checks/facts/terms/page-terms.ts'
import { isPagePath } from '../../src/docs-syntax/markdown.ts'
import { createTranslations } from '../../src/sites/translations.ts'
import { type RawCommit, readBlobs, readHistory, readPatches } from './history.ts'
import type { BenchRepository } from './repositories.ts'

export type Case = {
  readonly oid: string
  /** Changed pages; empty for a commit that changed code alone. */
  readonly truth: readonly string[]
  /** Where it is in the history. */
  readonly at: number
  readonly change: Change
  /** The id of the content by path. */
  readonly pages: ReadonlyMap<string, string>
}

export type Dataset = {
  readonly repository: BenchRepository
  readonly revision: string
  readonly cases: readonly Case[]
  pagesOf(one: Case): Page[]
  /** All words of a page, for the baseline over whole pages. */
  wordsOf(oid: string): ReadonlyMap<string, number>
  /** The newest commit first. */
  historyOf(one: Case): PastCommit[]
}

export type Half = 'older' | 'newer'

/** By the commits that changed docs: the older half of them, with the others in between, or the newer half. */
export function halfOf({ cases }: Dataset, half: Half): Case[] {
  const docs = cases.filter(({ truth }) => truth.length > 0)
  const border = docs[docs.length >> 1]?.at ?? 0
  return cases.filter(({ at }) => at >= border === (half === 'newer'))
}

const maxTruth = 10
const maxCode = 40
/** The newest commits with pages and code, at most. */
const maxCases = 400
const maxHistory = 2_000
const code =
  /\.(?:[cm]?[jt]sx?|py|pyi|pyx|rs|go|rb|java|kt|c|cc|cpp|h|hpp|cs|php|swift|scala|svelte|vue|sh|lua|ex|exs|proto)$/i
const notPage =
  /(?:^|\/)(?:changelogs?|changes|history|releases?|release-?notes|whats-?new|news|updates|announce|migrat\w*|upgrad\w*|blog)(?:[/._-]|$)|(?:^|\/)v?\d+\.\d+[^/]*(?:\/|\.\w+$)|\/(?:_includes|_snippets|node_modules)\//i
const markup =
  /\.(?:mdx?|markdown|rst|adoc|txt|lock|snap|svg|map)$|(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|go\.sum)$/i

/** A pull request that was merged is one change; a branch that was merged into another one is many. */
const branchMerge = /^Merge (?!pull request|pr\b|#\d)|^Merge pull request .*(?:merge|backport|features|master|main)/i

type Kept = {
  readonly terms: readonly PageTerm[]
  readonly words: Readonly<Record<string, number>>
  readonly generated: boolean
}

export async function readDataset(clone: string, repository: BenchRepository, cache: string): Promise<Dataset> {
  const commits = await readHistory(clone)
  const { found, blobs } = findCases(commits, repository)
  const kept = await readPages(clone, blobs, join(cache, `${repository.name}.pages.json`))
  const patches = await readPatches(
    clone,
    found.map(({ commit }) => commit.oid),
  )
  const cases = found.flatMap(({ commit, at, truth, pages }): Case[] => {
    const real = new Map([...pages].filter(([, oid]) => kept.get(oid)?.generated === false))
    const left = truth.filter((path) => real.has(path))
    if ((truth.length > 0 && left.length === 0) || !patches.has(commit.oid)) return []
    const files = changedFiles(patches.get(commit.oid) ?? '', repository)
    return [
      {
        oid: commit.oid,
        truth: left,
        at,
        change: { files, messages: [withoutDocs(commit.message, pages.keys())] },
        pages: real,
      },
    ]
  })
  return {
    repository,
    revision: commits.at(-1)?.oid ?? '',
    cases,
    pagesOf: ({ pages }) => [...pages].map(([path, oid]) => ({ path, terms: kept.get(oid)?.terms ?? [] })),
    wordsOf: (oid) => new Map(Object.entries(kept.get(oid)?.words ?? {})),
    historyOf: ({ at }) =>
      commits
        .slice(Math.max(0, at - maxHistory), at)
        .toReversed()
        .map(({ files, message }) => ({
          paths: files.map(({ path }) => path),
          subject: withoutDocs(readMessage(message).title, []),
        })),
  }
}

type Found = {
  readonly commit: RawCommit
  readonly at: number
  readonly truth: readonly string[]
  readonly pages: ReadonlyMap<string, string>
}

function findCases(commits: readonly RawCommit[], repository: BenchRepository) {
  const isDocs = (path: string) => repository.docs.test(path)
  const isPage = (path: string) =>
    isDocs(path) && isPagePath(path) && !notPage.test(path) && repository.generated?.test(path) !== true
  const kinds = commits.map(({ files, message }): { isCode: boolean; truth: string[] } => {
    const changed = files.filter(({ path }) => code.test(path) && !isDocs(path))
    const truth = files.flatMap(({ status, path }) => (status === 'M' && isPage(path) ? [path] : []))
    if (branchMerge.test(message)) return { isCode: false, truth: [] }
    const isCode =
      changed.length > 0 && changed.length <= maxCode && !files.some(({ path }) => isDocs(path) && truth.length === 0)
    return { isCode, truth }
  })
  const docsAt = kinds
    .flatMap(({ isCode, truth }, at) => (isCode && truth.length > 0 && truth.length <= maxTruth ? at : []))
    .slice(-maxCases)
  const first = docsAt[0] ?? 0
  const othersAt = kinds.flatMap(({ isCode, truth }, at) => (isCode && truth.length === 0 && at >= first ? at : []))
  const step = Math.max(1, othersAt.length / docsAt.length)
  const wanted = new Set([...docsAt, ...docsAt.flatMap((_, index) => othersAt[Math.floor(index * step)] ?? [])])
  const pages = new Map<string, string>()
  const found: Found[] = []
  const blobs = new Set<string>()
  for (const [at, commit] of commits.entries()) {
    if (wanted.has(at)) {
      const isTranslation = createTranslations([...pages.keys()])
      const here = new Map([...pages].filter(([path]) => isTranslation(path) === undefined))
      for (const oid of here.values()) blobs.add(oid)
      const truth = kinds[at]?.truth.filter((path) => here.has(path)) ?? []
      if (truth.length > 0 || kinds[at]?.truth.length === 0) found.push({ commit, at, truth, pages: here })
    }
    for (const { status, path, oid } of commit.files) {
      if (!isPage(path)) continue
      if (status === 'D') pages.delete(path)
      else pages.set(path, oid)
    }
  }
  return { found, blobs }
}

async function readPages(clone: string, blobs: ReadonlySet<string>, path: string): Promise<Map<string, Kept>> {
  const known = await readFile(path, 'utf8').then(
    (text) => new Map(Object.entries(JSON.parse(text) as Record<string, Kept>)),
    () => new Map<string, Kept>(),
  )
  const missing = [...blobs].filter((oid) => !known.has(oid))
  if (missing.length === 0) return known
  await readBlobs(clone, missing, (oid, text) => {
    // The content alone is known here, so its syntax is recognised by its forms.
    const facts = readPage(syntaxOf(text), text)
    const words: Record<string, number> = {}
    for (const [word] of text.toLowerCase().matchAll(/[a-z\d]{2,40}/g))
      words[word] = (Object.hasOwn(words, word) ? (words[word] ?? 0) : 0) + 1
    known.set(oid, {
      terms: termsOf(facts).map(({ text: term, kind, count }) => ({ text: term, kind, count })),
      words,
      generated: isGenerated('a.md', text),
    })
  })
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, JSON.stringify(Object.fromEntries(known)))
  return known
}

function syntaxOf(text: string) {
  if (/^\.\. [\w-]+::|^\.\. _[\w-]+:|^[^\n]+\n[=~*-]{4,}$|:[a-z]+:`/m.test(text) && !/^#{1,3} |^```/m.test(text))
    return 'rst'
  return /^= \w/m.test(text.slice(0, 300)) ? 'asciidoc' : 'markdown'
}

/** Without docs of any kind, which would tell the answer. */
function changedFiles(patch: string, { docs }: BenchRepository): ChangedFile[] {
  return patch.split(/^(?=diff --git )/m).flatMap((part): ChangedFile[] => {
    const [, before, path] = /^diff --git a\/(.+?) b\/(.+)$/m.exec(part) ?? []
    if (before === undefined || path === undefined || docs.test(path) || markup.test(path)) return []
    const status = /^new file/m.test(part.slice(0, 500))
      ? 'added'
      : /^deleted file/m.test(part.slice(0, 500))
        ? 'deleted'
        : before === path
          ? 'modified'
          : 'renamed'
    return [{ path, previousPath: status === 'renamed' ? before : null, status, patch: part.slice(0, 500_000) }]
  })
}

/** The subject and body without words about docs, and without the names and paths of pages. */
function withoutDocs(message: string, paths: Iterable<string>): string {
  const names = new Set<string>()
  for (const path of paths) names.add(path.slice(path.lastIndexOf('/') + 1).toLowerCase())
  return message
    .split('\n')
    .map((line) =>
      line
        .split(/(\s+)/)
        .filter((word) => {
          const plain = word.toLowerCase().replace(/^[^\w]+|[^\w]+$/g, '')
          return !/doc|readme|guide|manual|\.(?:mdx?|rst|adoc)\b/.test(plain) && !names.has(plain)
        })
        .join(''),
    )
    .join('\n')
}
