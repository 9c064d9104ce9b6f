// Reads the text of a paragraph, cell or title: what of it is prose and code, its links and ids, and the visible text.

import type { Range } from '../../text.ts'
import { readMacros } from './macros.ts'
import { readMarks } from './marks.ts'
import { readPassthroughs } from './passthroughs.ts'
import { type Cut, type Scan, createScan } from './scan.ts'
import { type AsciidocState, type Run, addId } from '../state.ts'

/** Longer visible texts are cut: attributes could make them of any length. */
const maxShown = 10_000
/** A text without these characters is prose as a whole. */
const meaningful = /[*_`#^~+{[\]:\\&$<(]/

export function readRun(state: AsciidocState, run: Run): void {
  const scan = scanRun(state, run)
  if (scan) record(state, run, scan)
}

/** For literal blocks whose macros are read: only the links count. */
export function readLinks(state: AsciidocState, run: Run): void {
  scanRun({ ...state, prose: [] }, run)
}

/** Like `readRun`, and returns the text that readers see, with its blanks as single spaces. */
export function readTitle(state: AsciidocState, run: Run): string {
  const scan = scanRun(state, run)
  if (!scan) return state.source.slice(run.start, run.end).replace(/\s+/g, ' ').trim()
  record(state, run, scan)
  return visibleText(scan)
}

/** Undefined: there is no markup in it. Then it is recorded as prose. */
function scanRun(state: AsciidocState, run: Run): Scan | undefined {
  const text = withoutHoles(state.source, run)
  if (!meaningful.test(text)) {
    pushProse(state, run, [])
    return undefined
  }
  const scan = createScan(text)
  readPassthroughs(scan)
  readMarks(scan)
  readMacros(scan, state, run)
  return scan
}

/** The text of a run, with spaces for its holes. */
export function withoutHoles(source: string, { start, end, holes }: Pick<Run, 'start' | 'end' | 'holes'>): string {
  if (holes.length === 0) return source.slice(start, end)
  const parts: string[] = []
  let position = start
  for (const hole of holes) {
    parts.push(source.slice(position, hole.start), source.slice(hole.start, hole.end).replace(/[^\n]/g, ' '))
    position = hole.end
  }
  return parts.join('') + source.slice(position, end)
}

function record(state: AsciidocState, run: Run, scan: Scan): void {
  for (const id of scan.ids) addId(state, id)
  const shift = (range: Range): Range => ({ start: range.start + run.start, end: range.end + run.start })
  for (const range of scan.code) if (range.end > range.start) state.code.push(shift(range))
  pushProse(state, run, [...scan.cuts, ...scan.code].map(shift))
}

/** Everything in the run that is neither hole nor in `without`. */
function pushProse(state: AsciidocState, run: Run, without: readonly Range[]): void {
  const barred = [...without, ...run.holes].toSorted((a, b) => a.start - b.start)
  let position = run.start
  for (const { start, end } of [...barred, { start: run.end, end: run.end }]) {
    if (start > position && state.source.slice(position, start).trim() !== '')
      state.prose.push({ start: position, end: start, kind: run.kind })
    position = Math.max(position, end)
  }
}

const references = /&(?:amp|lt|gt|quot|apos|nbsp|#(\d{2,6})|#x([\da-f]{2,5}));/gi
const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
}

function visibleText({ text, cuts }: Scan): string {
  const parts: string[] = []
  let position = 0
  let size = 0
  for (const { start, end, shown } of cuts.toSorted(byStart)) {
    if (start < position || size > maxShown) continue
    const part = text.slice(position, start) + (shown ?? text.slice(start, end))
    size += part.length
    parts.push(part)
    position = end
  }
  const whole = parts.join('') + text.slice(position)
  return whole
    .slice(0, maxShown)
    .replace(references, (written: string, decimal?: string, hex?: string) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined
      if (code !== undefined) return code <= 0x10_ff_ff ? String.fromCodePoint(code) : written
      return characters[written.slice(1, -1).toLowerCase()] ?? written
    })
    .replace(/[ \t\r\n]+/g, ' ')
    .trim()
}

function byStart(a: Cut, b: Cut): number {
  return a.start - b.start || b.end - a.end
}
