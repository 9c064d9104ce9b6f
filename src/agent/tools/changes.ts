// Changes of several files by splices: written together, and told to the model as a list of files.

import { type JsonMember, type JsonNode, memberRange } from '../../docs-syntax/json.ts'
import { type Splice, applySplices } from '../../docs-syntax/text.ts'
import { count, fitLines, showPath } from './result.ts'
import { type TextFile, encodeText } from './text-file.ts'
import type { Workspace } from '../workspace.ts'

export type FileChange = { readonly file: TextFile; readonly splices: readonly Splice[] }

export async function writeChanges(workspace: Workspace, changes: readonly FileChange[]): Promise<void> {
  for (const { file, splices } of changes) {
    if (splices.length === 0) continue
    await workspace.write(file.path, encodeText(applySplices(file.text, splices), file.hasMark))
  }
}

/** `[moved …; 7 links in 3 files changed]` and a line for each file. */
export function describeChanges(done: string, changes: readonly FileChange[], isPartial: boolean): string {
  const changed = changes.filter(({ splices }) => splices.length > 0)
  const links = changed.reduce((sum, { splices }) => sum + splices.length, 0)
  const partial = isPartial ? '; the search for links stopped early, some may be left' : ''
  const head = `[${done}; ${count(links, 'reference')} in ${count(changed.length, 'file')} changed${partial}]`
  return [head, ...fitLines(changed.map(({ file, splices }) => `${showPath(file.path)}: ${splices.length}`))].join('\n')
}

export function metaRemoval({ member, parent }: { member: JsonMember; parent: JsonNode }): Splice {
  return { ...memberRange(parent, member), text: '' }
}
