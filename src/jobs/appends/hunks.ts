// The changes of a diff, one by one: the lines that each removes and adds, without context and without their place, so that the same
// change is found again after other lines have moved. Pure.

import { createHash } from 'node:crypto'

export type Block = {
  /** The index of the line of the old text before which it begins. */
  readonly at: number
  /** Lines with their line breaks. */
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Parses the unified diff of one file. */
export function parseBlocks(patch: string): readonly Block[] {
  const blocks: { at: number; removed: string[]; added: string[] }[] = []
  let place = -1
  let open: (typeof blocks)[number] | undefined
  let last: string[] | undefined
  for (const line of patch.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const [, start = '', count] = /^@@ -(\d+)(?:,(\d+))? \+/.exec(line) ?? []
    if (start !== '') {
      // An empty range names the line after which it is.
      place = Number(start) - (count === '0' ? 0 : 1)
      open = undefined
    } else if (place >= 0) {
      const [sign, text] = [line[0], line.slice(1)]
      if (sign === '\\') last?.splice(-1, 1, (last.at(-1) ?? '').slice(0, -1))
      else if (sign === ' ') [open, last, place] = [undefined, undefined, place + 1]
      else if (sign === '-' || sign === '+') {
        if (!open) blocks.push((open = { at: place, removed: [], added: [] }))
        last = sign === '-' ? open.removed : open.added
        last.push(text)
        if (sign === '-') place += 1
      }
    }
  }
  return blocks
}

/** Returns undefined if the text is not the one that the blocks were made from. */
export function applyBlocks(text: string, blocks: readonly Block[]): string | undefined {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const parts: string[] = []
  let next = 0
  for (const { at, removed, added } of blocks) {
    if (at < next || removed.some((line, number) => lines[at + number] !== line)) return undefined
    parts.push(...lines.slice(next, at), ...added)
    next = at + removed.length
  }
  return [...parts, ...lines.slice(next)].join('')
}

/** Tells a change of a file from others, whatever its white space. Undefined for one of white space alone. */
export function digestOf(path: string, { removed, added }: Pick<Block, 'removed' | 'added'>): string | undefined {
  const lines = [normalised(removed), normalised(added)]
  if (lines.every((some) => some.length === 0)) return undefined
  return createHash('sha256')
    .update(JSON.stringify([path, ...lines]))
    .digest('hex')
}

export function normalised(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim().replaceAll(/\s+/g, ' ')).filter((line) => line !== '')
}
