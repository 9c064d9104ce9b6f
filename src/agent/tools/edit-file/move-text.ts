// Plans what is added to the ends of other files when an edit moves a text there. Writes nothing.

import { dominantLineBreak } from '../../../docs-syntax/text.ts'
import { maxContentCharacters, showPath } from '../result.ts'
import { encodeText, readTextFile } from '../text-file.ts'
import type { FileWrite } from '../write-together.ts'
import type { Workspace } from '../../workspace.ts'
import type { Moved } from './match.ts'

type Additions = { readonly writes: readonly FileWrite[] } | { readonly problem: string }

/** Texts that move to the same file are added in the order of the edits, with a blank line before each. */
export async function planAdditions(workspace: Workspace, moved: readonly Moved[]): Promise<Additions> {
  const writes: FileWrite[] = []
  for (const [path, texts] of Map.groupBy(moved, ({ to }) => to)) {
    const file = await readTextFile(workspace, path)
    if ('problem' in file) {
      return { problem: file.problem === 'missing' ? `${file.reason} Make it with write_file first.` : file.reason }
    }
    const lineBreak = dominantLineBreak(file.text)
    const added = texts.map(({ text }) => text.replace(/^\n+|\n+$/g, '').replaceAll('\n', lineBreak) + lineBreak)
    const before = file.text.replace(/[\r\n]+$/, '')
    const text = [...(before === '' ? [] : [before + lineBreak]), ...added].join(lineBreak)
    if (text.length > maxContentCharacters) {
      return { problem: `${showPath(path)} would have more than ${maxContentCharacters} characters.` }
    }
    writes.push({ path, content: encodeText(text, file.hasMark) })
  }
  return { writes }
}
