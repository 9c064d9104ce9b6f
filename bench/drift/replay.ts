// Checks a repository at moments of its history when, by its replay, pages named what the code had lost, and when it is now.

import { checkTree } from '../../src/checks/check-tree.ts'
import { isCurrentPath } from '../../src/checks/drift/excused.ts'
import { findDrift } from '../../src/checks/drift/drift.ts'
import { createFactsReader } from '../../src/checks/facts/reader.ts'
import type { Finding } from '../../src/checks/finding.ts'
import { openClone } from '../../src/git/past/past.ts'
import type { SiteTree } from '../../src/sites/tree.ts'
import type { History, Life } from './walk.ts'

/** A term of the pages that the code lost at `from` and the pages at `to`, both for good. */
export type Stale = { readonly life: Life; readonly from: number; readonly to: number }

export type Judged = Finding & { readonly commit: string; readonly context: string; readonly isLaterGone: boolean }

export type Moment = {
  readonly commit: string
  readonly seconds: number
  readonly pages: number
  readonly findings: readonly Judged[]
  /** The terms that were stale at that moment, and those of them that were found. */
  readonly stale: readonly string[]
  readonly found: readonly string[]
  /** The report of DOCER's rule: the code had it at an earlier revision, and has it nowhere now. */
  readonly baseline: readonly string[]
}

const contextLines = 4
/** The machine of a bench may be busy: findings are judged here, and not the time. */
const timeMs = 120_000

export function staleTerms({ lives }: History): Stale[] {
  return lives.flatMap((life) => {
    const [code, docs] = [life.code.at(-1), life.docs.at(-1)]
    return code && docs && !code.isThere && !docs.isThere && docs.at > code.at && stateAt(life.docs, code.at)
      ? [{ life, from: code.at, to: docs.at }]
      : []
  })
}

/** The moments at which most of them were stale, each just before pages lost one. */
export function chooseMoments(stale: readonly Stale[], count: number): number[] {
  const chosen: number[] = []
  let left = [...stale]
  while (chosen.length < count && left.length > 0) {
    const [best] = left
      .map(({ to }) => ({ at: to - 1, covered: left.filter((one) => isStaleAt(one, to - 1)).length }))
      .toSorted((a, b) => b.covered - a.covered)
    if (!best || best.covered === 0) break
    chosen.push(best.at)
    left = left.filter((one) => !isStaleAt(one, best.at))
  }
  return chosen
}

export async function checkAt(gitDir: string, history: History, at: number): Promise<Moment> {
  const signal = new AbortController().signal
  const commit = history.commits[at] ?? 'HEAD'
  const source = await openClone(gitDir, { name: 'product', commit })
  const facts = createFactsReader(1)
  try {
    const files = await source.files(signal)
    const byPath = new Map(files.map((file) => [file.path, file]))
    const tree: SiteTree = {
      entries: () => files,
      read: async (path) => {
        const file = byPath.get(path)
        let found: Uint8Array | undefined
        if (file) await source.read([file], (_, content) => (found = content), signal)
        return found
      },
    }
    const result = await checkTree(tree, { facts, signal })
    const start = performance.now()
    const drift = await findDrift({ tree, result }, { sources: [source], docs: source, timeMs, signal })
    const seconds = (performance.now() - start) / 1_000
    const texts = await readPages(
      result.index.pages.map(({ path }) => path),
      tree,
    )
    const stale = staleTerms(history)
      .filter((one) => isStaleAt(one, at))
      .map(({ life }) => life.text)
      .filter((text) => texts.some((page) => page.includes(text)))
    const targets = new Set(drift.findings.map(({ target }) => target))
    const findings: Judged[] = []
    for (const finding of drift.findings) {
      const lines = new TextDecoder().decode(await tree.read(finding.path)).split('\n')
      const context = lines.slice(Math.max(0, finding.line - 1 - contextLines), finding.line + contextLines).join('\n')
      const life = history.lives.find(({ text }) => text === finding.target)
      findings.push({ ...finding, commit, context, isLaterGone: life?.docs.at(-1)?.isThere === false })
    }
    return {
      commit,
      seconds,
      pages: drift.basis.pages,
      findings,
      stale,
      found: stale.filter((text) => targets.has(text)),
      baseline: history.lives
        .filter((life) => !stateAt(life.code, at) && stateAt(life.docs, at))
        .filter((life) => life.code.some((one) => one.at <= at))
        .map(({ text }) => text),
    }
  } finally {
    await facts.close()
    await source.close()
  }
}

/** The pages of the documentation: a site may leave others out. */
async function readPages(paths: readonly string[], tree: SiteTree): Promise<string[]> {
  const texts: string[] = []
  for (const path of paths) if (isCurrentPath(path)) texts.push(new TextDecoder().decode(await tree.read(path)))
  return texts
}

function isStaleAt({ life, from, to }: Stale, at: number): boolean {
  return from <= at && at < to && stateAt(life.docs, at)
}

function stateAt(states: Life['code'], at: number): boolean {
  return states.findLast((one) => one.at <= at)?.isThere ?? false
}
