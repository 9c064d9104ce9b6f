// Changes to several files, as splices: writes them to the workspace and describes them for the model.

import { type JsonMember, type JsonNode, memberRange } from '../../docs-syntax/json.ts'
import { type Splice, applySplices } from '../../docs-syntax/text.ts'
import { count, countedLine, showPath } from './result.ts'
import type { FileReferences } from './links/references.ts'
import { isGenerated, saysGenerated } from './search/generated.ts'
import { type TextFile, encodeText } from './text-file.ts'
import type { ResultFacts } from '../tool.ts'
import type { Workspace } from '../workspace.ts'

export type FileChange = { readonly file: TextFile; readonly splices: readonly Splice[] }

export async function writeChanges(workspace: Workspace, changes: readonly FileChange[]): Promise<void> {
  for (const { file, splices } of changes) {
    if (splices.length === 0) continue
    await workspace.write(file.path, encodeText(applySplices(file.text, splices), file.hasMark))
  }
}

/** Splits files by whether they may be edited: the workspace accepts it, and no program writes them. `kept` has a line for each other one. */
export function splitByRefusal(workspace: Workspace, all: readonly FileReferences[]): SplitReferences {
  const problemOf = ({ path, text }: TextFile): string | undefined =>
    isGenerated({ path, size: text.length }) || saysGenerated(text) ? 'is generated' : workspace.editProblem?.(path)
  return {
    found: all.filter(({ file }) => problemOf(file) === undefined),
    keptPaths: all.filter(({ file }) => problemOf(file) !== undefined).map(({ file }) => file.path),
    kept: all.flatMap(({ file }) => {
      const problem = problemOf(file)
      return problem === undefined ? [] : [`${showPath(file.path)}: left as it is, and still names it: it ${problem}`]
    }),
  }
}

type SplitReferences = {
  readonly found: readonly FileReferences[]
  readonly kept: readonly string[]
  readonly keptPaths: readonly string[]
}

export type Described = {
  readonly lines: readonly string[]
  readonly facts: ResultFacts & { readonly references: number; readonly files: number }
}

type Rest = {
  readonly isPartial: boolean
  /** Lines about what may still name the file. */
  readonly notes: readonly string[]
}

/**
 * Returns a head line such as `[moved …; 7 references in 3 files changed]`, one line per file, and the notes. It does not
 * count to zero if something may still name the file.
 */
export function describeChanges(done: string, changes: readonly FileChange[], { isPartial, notes }: Rest): Described {
  const changed = changes.filter(({ splices }) => splices.length > 0)
  const references = changed.reduce((sum, { splices }) => sum + splices.length, 0)
  const partial = isPartial ? '; the search for links stopped early, some may be left' : ''
  const amount = `${count(references, 'reference')} in ${count(changed.length, 'file')} changed`
  const head = `[${done}; ${references === 0 && notes.length > 0 ? 'no other file changed' : amount}${partial}]`
  const lines = [head, ...changed.map(({ file, splices }) => countedLine(file.path, splices.length)), ...notes]
  return { lines, facts: { references, files: changed.length } }
}

export function metaRemoval({ member, parent }: { member: JsonMember; parent: JsonNode }): Splice {
  return { ...memberRange(parent, member), text: '' }
}
