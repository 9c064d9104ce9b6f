// Plans what is added to the ends of other files when an edit moves a text there, with relative links that still lead to
// their files. Writes nothing.

import { posix } from 'node:path'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import { applySplices, dominantLineBreak, withLineFeeds } from '../../../docs-syntax/text.ts'
import { openSites } from '../links/open-sites.ts'
import { referencesIn } from '../links/references.ts'
import { findTooLong, showPath } from '../result.ts'
import { type TextFile, encodeText, readTextFile } from '../text-file.ts'
import type { FileWrite } from '../write-together.ts'
import type { Workspace } from '../../workspace.ts'
import type { Moved } from './match.ts'

type Addition = FileWrite & { readonly links: number }
type Additions = { readonly writes: readonly Addition[] } | { readonly problem: string }

/** The file that the texts leave. */
type Source = { readonly path: string; readonly file: TextFile; readonly moved: readonly Moved[] }

/** Texts that move to the same file are added in the order of the edits, with a blank line before each. */
export async function planAdditions(workspace: Workspace, source: Source): Promise<Additions> {
  const writes: Addition[] = []
  const moved = await updateLinks(workspace, source)
  for (const [path, texts] of Map.groupBy(moved, ({ to }) => to)) {
    const file = await readTextFile(workspace, path)
    if ('problem' in file) {
      return { problem: file.problem === 'missing' ? `${file.reason} Make it with write_file first.` : file.reason }
    }
    const lineBreak = dominantLineBreak(file.text)
    const added = texts.map(({ text }) => text.replace(/^\n+|\n+$/g, '').replaceAll('\n', lineBreak) + lineBreak)
    const before = file.text.replace(/[\r\n]+$/, '')
    const text = [...(before === '' ? [] : [before + lineBreak]), ...added].join(lineBreak)
    const tooLong = findTooLong(file.text, text)
    if (tooLong !== undefined) return { problem: `${showPath(path)} ${tooLong}.` }
    const links = texts.reduce((sum, one) => sum + one.links, 0)
    writes.push({ path, content: encodeText(text, file.hasMark), links })
  }
  return { writes }
}

type Updated = Moved & { readonly links: number }

/** Rewrites the relative links of texts that move to a page in another folder. A link to a part of its own page stays. */
async function updateLinks(workspace: Workspace, { path, file, moved }: Source): Promise<Updated[]> {
  const isFar = ({ to }: Moved) => isPagePath(to) && posix.dirname(to) !== posix.dirname(path)
  if (!isPagePath(path) || !moved.some(isFar)) return moved.map((one) => ({ ...one, links: 0 }))
  const opened = await openSites({ workspace })
  const { text } = withLineFeeds(file.text)
  const { references } = referencesIn(opened, { ...file, text })
  const relative = references.filter(({ target }) => target.form !== 'self' && !target.isRooted)
  return moved.map((one) => {
    const { start, end } = one.range
    const inside = isFar(one) ? relative.filter((link) => link.start >= start && link.end <= end) : []
    const splices = inside.map((link) => ({
      start: link.start - start,
      end: link.end - start,
      text: link.rewrite(link.target.path, one.to),
    }))
    return { ...one, text: applySplices(one.text, splices), links: splices.length }
  })
}
