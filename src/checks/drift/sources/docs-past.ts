// Whether the documentation named something while the product had it. A page that began to name it later means something else: an
// option of another tool, a name of an example.

import { isPagePath } from '../../../docs-syntax/markdown.ts'
import type { TreeFile } from '../../../sites/tree.ts'
import type { FileChange, Revision, Source } from './source.ts'

const mostRevisions = 50_000
/** Larger pages are data. */
const maxBytes = 1_000_000
/** Contents that are kept for the next name; others are read again. */
const maxKept = 64_000_000

export type DocsPast = {
  /** Whether a page had the text before the date. `undefined`: not known, as the history is not here, or the time is over. */
  had(text: string, before: Date): Promise<boolean | undefined>
}

/** `docs`: the repository of the documentation, at the commit that is checked; undefined if it is in no repository. */
export function createDocsPast(docs: Source | undefined, signal: AbortSignal): DocsPast {
  if (!docs) return { had: () => Promise.resolve(undefined) }
  let revisions: Promise<readonly Revision[]> | undefined
  let files: Promise<readonly TreeFile[]> | undefined
  const pagesAt = new Map<string, Promise<readonly string[] | undefined>>()
  const contents = new Map<string, Buffer>()
  let kept = 0
  const listFiles = async () => await (files ??= docs.files(signal))
  return {
    had: async (text, before) => {
      revisions ??= docs.history(mostRevisions, signal).catch((): Revision[] => [])
      const all = await revisions
      // A history that begins later may have brought the page from another repository.
      const revision = all.find(({ date }) => date < before) ?? all.at(-1)
      if (!revision) return undefined
      const known =
        pagesAt.get(revision.commit) ?? listPages({ docs, listFiles }, revision, signal).catch(() => undefined)
      pagesAt.set(revision.commit, known)
      const pages = await known
      if (!pages) return undefined
      if (pages.some((oid) => contents.get(oid)?.includes(text))) return true
      const wanted = pages.filter((oid) => !contents.has(oid)).map((oid) => ({ oid }))
      let missing = wanted.length
      let isFound = false
      const take = ({ oid }: { oid: string }, content: Buffer | undefined) => {
        if (content === undefined) return
        missing -= 1
        const page = content.length > maxBytes ? Buffer.alloc(0) : content
        isFound ||= page.includes(text)
        if (kept + page.length > maxKept) return
        kept += page.length
        contents.set(oid, page)
      }
      await docs.read(wanted, take, signal)
      if (isFound) return true
      return missing > 0 ? undefined : false
    },
  }
}

/** The ids of the pages at a revision: those of now, with the earlier contents of what was changed since. */
async function listPages(
  { docs, listFiles }: { readonly docs: Source; readonly listFiles: () => Promise<readonly TreeFile[]> },
  { commit }: Revision,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const [changed = []] = await docs.changes([{ from: commit, to: docs.commit }], signal)
  const byPath = new Map<string, FileChange>(changed.map((change) => [change.path, change]))
  const same = (await listFiles()).filter(({ path }) => !byPath.has(path)).map(({ path, oid }) => ({ path, oid }))
  const before = changed.flatMap(({ path, before: oid }) => (oid === null ? [] : [{ path, oid }]))
  return [...same, ...before].filter(({ path }) => isPagePath(path)).map(({ oid }) => oid)
}
