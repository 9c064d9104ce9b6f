// The commits of people that `bench/grounding.ts` judges: those that add code terms to one to ten pages.

import { isPagePath } from '../../src/docs-syntax/markdown.ts'
import { judgeClaims } from '../../src/grounding/ground.ts'
import type { ChangedText, Files, Place } from '../../src/grounding/places.ts'
import type { BenchRepository, Clone } from './repositories.ts'

export type DocsCommit = { readonly id: string; readonly parent: string; readonly pages: readonly string[] }
export type Half = 'older' | 'newer'

const mostPages = 10
const mostOthers = 40
const notWritten =
  /change-?log|history|news\.|release|whats-?new|migrat|upgrad|\/(?:v?\d+\.[\dx]+)\/|\/(?:zh|ja|ko|fr|de|es|pt|ru|it|id|tr|hi|da|uk)(?:-\w+)?\//i

/** In one half of the first-parent history, the newest first. Ancestors come before what is made from them. */
export async function docsCommits(
  { git }: Clone,
  { docs, generated }: BenchRepository,
  half: Half,
): Promise<DocsCommit[]> {
  const args = ['--first-parent', '--diff-merges=first-parent', '--name-status', '--no-renames', '--format=%x01%H %P']
  const all = (await git('log', ...args, 'HEAD')).split('\u0001').slice(1)
  const middle = Math.floor(all.length / 2)
  return (half === 'newer' ? all.slice(0, middle) : all.slice(middle)).flatMap((text): DocsCommit[] => {
    const [head = '', ...lines] = text.split('\n')
    const [id = '', parent] = head.split(' ')
    const files = lines.filter((line) => line.includes('\t')).map((line) => line.split('\t'))
    const isPage = (path: string) =>
      docs.test(path) && isPagePath(path) && !notWritten.test(path) && !generated?.test(path)
    const pages = files.flatMap(([status, path = '']) => (status !== 'D' && isPage(path) ? [path] : []))
    const others = files.length - pages.length
    return parent === undefined || pages.length === 0 || pages.length > mostPages || others > mostOthers
      ? []
      : [{ id, parent, pages }]
  })
}

export type OpenCommit = { readonly change: readonly ChangedText[]; readonly places: readonly Place[] }

/**
 * The pages before and after, and the rest of the repository after the commit: people commit code together with its
 * documentation, and an agent would read both.
 */
export async function openCommit({ trees }: Clone, commit: DocsCommit): Promise<OpenCommit> {
  const [base, head] = [await trees.load(commit.parent), await trees.load(commit.id)]
  const read = async (tree: typeof base, path: string) => {
    const bytes = await tree.read(path).catch(() => undefined)
    return bytes && new TextDecoder().decode(bytes)
  }
  const change: ChangedText[] = []
  for (const path of commit.pages) change.push({ path, before: await read(base, path), after: await read(head, path) })
  const hidden = new Set(commit.pages)
  const files: Files = {
    list: () => Promise.resolve(head.entries().filter(({ path }) => !hidden.has(path))),
    read: (path) => (hidden.has(path) ? Promise.resolve(undefined) : head.read(path)),
    search: (query, signal) =>
      head.search(
        {
          ...query,
          exclude: [...(query.exclude ?? []), ...[...hidden].map((path) => path.replace(/[*?[\]\\]/g, '\\$&'))],
        },
        signal,
      ),
  }
  return { change, places: [{ name: '', files }] }
}

export async function judgeCommit({ change, places }: OpenCommit, own: readonly string[]) {
  return await judgeClaims(change, { places, own, texts: [], signal: AbortSignal.timeout(120_000) })
}
