// Pairs the marks of emphasis (`*`, `_`) and of deleted text (`~`), and makes nodes of the items of a text. Takes linear time:
// a closing mark passes over an opening one of another kind once.

import { type Content, createNode, decode } from '../content.ts'
import type { SyntaxNode } from '../../syntax.ts'

/** A sequence of marks. The pairs take characters from its two ends: those that it closes first. */
export type Run = {
  readonly kind: 'run'
  readonly mark: number
  from: number
  to: number
  readonly opens: boolean
  readonly closes: boolean
  /** The nodes that begin and end here, from the inside to the outside. */
  readonly begun: Pair[]
  readonly ended: Pair[]
}

export type Item =
  | { readonly kind: 'text'; readonly from: number; readonly to: number }
  | { readonly kind: 'node'; readonly node: SyntaxNode }
  | Run

type Pair = { readonly type: 'emphasis' | 'strong' | 'delete'; readonly start: number; end: number }
type Frame = { readonly pair: Pair | undefined; readonly children: SyntaxNode[] }

const tilde = 126

/** `first`: the mark whose pairs may hold unpaired marks of the others. */
export function toNodes(content: Content, items: readonly Item[], first: number): SyntaxNode[] {
  const runs = items.filter((item) => item.kind === 'run')
  if (runs.length > 0) {
    const isDeleted = (run: Run) => run.mark === tilde
    const passes = first === tilde ? [pairDeleted, pairEmphasis] : [pairEmphasis, pairDeleted]
    for (const pair of passes) {
      for (const group of groupRuns(runs)) pair(group.filter((run) => isDeleted(run) === (pair === pairDeleted)))
    }
  }
  return build(content, items)
}

/** The runs that are in the same pair. */
function groupRuns(runs: readonly Run[]): Run[][] {
  if (runs.every(({ begun }) => begun.length === 0)) return [[...runs]]
  const groups: Run[][] = [[]]
  const open: Run[][] = [groups[0] ?? []]
  for (const run of runs) {
    for (const _ of run.ended) open.pop()
    if (run.begun.length === 0 && run.ended.length === 0) open.at(-1)?.push(run)
    for (const _ of run.begun) {
      const group: Run[] = []
      groups.push(group)
      open.push(group)
    }
  }
  return groups
}

function pairDeleted(runs: readonly Run[]): void {
  const open: Run[] = []
  /** The places of the runs of one and of two marks in `open`. */
  const places: readonly number[][] = [[], []]
  for (const run of runs) {
    const size = run.to - run.from
    const same = places[size - 1] ?? []
    const place = run.closes ? same.at(-1) : undefined
    const opener = place === undefined ? undefined : open[place]
    if (opener) {
      addPair(opener, run, size, 'delete')
      open.length = place ?? 0
      for (const one of places) while ((one.at(-1) ?? -1) >= open.length) one.pop()
    } else if (run.opens) {
      same.push(open.length)
      open.push(run)
    }
  }
}

function pairEmphasis(runs: readonly Run[]): void {
  const open: Run[] = []
  /** For each kind of closing run, the number of runs in `open` that it cannot use. */
  const bottoms = new Map<number, number>()
  for (const run of runs) {
    while (run.closes && run.to > run.from) {
      const size = run.to - run.from
      const key = run.mark * 6 + (run.opens ? 3 : 0) + (size % 3)
      const place = findOpener(open, run, Math.min(bottoms.get(key) ?? 0, open.length))
      const opener = open[place]
      if (!opener) {
        bottoms.set(key, open.length)
        break
      }
      const taken = size > 1 && opener.to - opener.from > 1 ? 2 : 1
      open.length = place + 1
      addPair(opener, run, taken, taken === 2 ? 'strong' : 'emphasis')
      // Its other length may suit a run that could not use it before.
      for (const [other, bottom] of bottoms) if (bottom > place) bottoms.set(other, place)
      if (opener.to === opener.from) open.pop()
    }
    if (run.opens && run.to > run.from) open.push(run)
  }
}

function findOpener(open: readonly Run[], run: Run, bottom: number): number {
  const size = run.to - run.from
  for (let place = open.length - 1; place >= bottom; place -= 1) {
    const opener = open[place]
    if (opener?.mark !== run.mark) continue
    const isMixed = opener.closes || run.opens
    if (!(isMixed && size % 3 !== 0 && (size + opener.to - opener.from) % 3 === 0)) return place
  }
  return -1
}

function addPair(opener: Run, closer: Run, size: number, type: Pair['type']): void {
  opener.to -= size
  const pair = { type, start: opener.to, end: closer.from + size }
  closer.from += size
  opener.begun.push(pair)
  closer.ended.push(pair)
}

function build(content: Content, items: readonly Item[]): SyntaxNode[] {
  const frames: Frame[] = [{ pair: undefined, children: [] }]
  const texts = createTexts(content)
  for (const item of items) {
    if (item.kind === 'text') texts.add(top(frames), item.from, item.to)
    else if (item.kind === 'node') {
      texts.end()
      top(frames).push(item.node)
    } else buildRun(content, { run: item, frames, texts })
  }
  texts.end()
  return top(frames.slice(0, 1))
}

type Building = { readonly run: Run; readonly frames: Frame[]; readonly texts: ReturnType<typeof createTexts> }

function buildRun(content: Content, { run, frames, texts }: Building): void {
  for (const { type, start, end } of run.ended) {
    texts.end()
    const children = frames.pop()?.children ?? []
    top(frames).push(createNode(type, content, [start, end], { children }))
  }
  if (run.to > run.from) texts.add(top(frames), run.from, run.to)
  for (const pair of run.begun.toReversed()) {
    texts.end()
    frames.push({ pair, children: [] })
  }
}

function top(frames: readonly Frame[]): SyntaxNode[] {
  return frames.at(-1)?.children ?? []
}

/** Makes one node of texts that follow each other. What is between them is at the edges of lines. */
function createTexts(content: Content) {
  let into: SyntaxNode[] = []
  let [start, end] = [0, 0]
  let value: string | undefined
  const finish = () => {
    if (value !== undefined) into.push(createNode('text', content, [start, end], { value }))
    value = undefined
  }
  return {
    add: (children: SyntaxNode[], from: number, to: number) => {
      if (value === undefined) [into, start, value] = [children, from, '']
      value += decode(content.text.slice(from, to))
      end = to
    },
    end: finish,
  }
}
