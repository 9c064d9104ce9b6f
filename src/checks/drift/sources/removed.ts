// Collects what earlier contents of files had: for each name that is looked for, the newest lines with it, and whether they say what it is.

import { definitionOf, type Definition } from './definition.ts'
import { createNameFinder } from './key-set.ts'

/** An earlier content of a file. `older`: the place of a revision that has it in the list of revisions, of which the newest is first. */
export type PastFile = { readonly older: number; readonly path: string; readonly oid: string }

/** A line of an earlier file. `definition`: undefined if it only uses the name. */
export type Removed = Omit<PastFile, 'oid'> & { readonly line: string; readonly definition: Definition | undefined }

export type RemovedNames = {
  take(file: PastFile, content: Buffer): void
  /** The newest first. */
  of(key: string): readonly Removed[]
}

const kept = 6
const longest = 400
/** Contents of which the next ones of the same paths differ little. */
const maxKept = 32_000_000
const step = 4_096

/** Names whose lines are wanted, although the source still has them. */
export type OtherLines = {
  readonly keys: ReadonlySet<string>
  take(line: { readonly path: string; readonly key: string; readonly text: string; readonly isNow: boolean }): void
}

export function createRemovedNames(keys: ReadonlySet<string>, others: OtherLines): RemovedNames {
  const found = new Map<string, Removed[]>()
  const find = createNameFinder(new Set([...keys, ...others.keys]))
  const contents = createContents()
  return {
    take: ({ older, path }, content) => {
      const part = contents.newPart(path, content)
      find(part, (key, end) => {
        if (others.keys.has(key)) others.take({ path, key, text: lineAt(part, end - 1) ?? '', isNow: false })
        if (!keys.has(key)) return
        const list = found.get(key) ?? []
        found.set(key, list)
        if (list.length >= kept && list.some(({ definition }) => definition === 'declared')) return
        const line = lineAt(part, end - 1)
        if (line === undefined) return
        const definition = definitionOf(key, line)
        if (definition === 'declared' || list.length < kept) list.push({ older, path, line, definition })
        else if (definition && list.every((one) => one.definition === undefined))
          list[0] = { older, path, line, definition }
      })
    },
    of: (key) => found.get(key) ?? [],
  }
}

/** Returns what a content has that the one before it of the same path did not have: most versions of a file differ in one place. */
function createContents() {
  const known = new Map<string, Buffer>()
  let size = 0
  return {
    newPart: (path: string, content: Buffer): Buffer => {
      const other = known.get(path)
      size += content.length - (other?.length ?? 0)
      if (size <= maxKept) known.set(path, content)
      else {
        known.delete(path)
        size -= content.length
      }
      if (other === undefined) return content
      const most = Math.min(content.length, other.length)
      let start = 0
      while (start + step <= most && content.compare(other, start, start + step, start, start + step) === 0)
        start += step
      let end = 0
      while (end + step <= most - start) {
        const [here, there] = [content.length - end, other.length - end]
        if (content.compare(other, there - step, there, here - step, here) !== 0) break
        end += step
      }
      // Whole lines.
      const first = start === 0 ? 0 : content.lastIndexOf(10, start - 1) + 1
      const last = content.indexOf(10, content.length - end)
      return content.subarray(first, last === -1 ? content.length : last)
    },
  }
}

/** Undefined if the line is too long for code that somebody wrote. */
export function lineAt(bytes: Buffer, at: number): string | undefined {
  const start = bytes.lastIndexOf(10, at) + 1
  const end = bytes.indexOf(10, at)
  if ((end === -1 ? bytes.length : end) - start > longest) return undefined
  return bytes.toString('utf8', start, end === -1 ? undefined : end)
}
