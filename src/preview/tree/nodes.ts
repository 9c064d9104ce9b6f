// The nodes of a page, as the conversion to HTML takes them. Only builds them.

export type TreeNode = {
  readonly type: string
  readonly children?: TreeNode[]
  readonly value?: string
  readonly [field: string]: unknown
}

export function parent(type: string, children: TreeNode[], fields: Readonly<Record<string, unknown>> = {}): TreeNode {
  return { type, ...fields, children }
}

export function text(value: string): TreeNode {
  return { type: 'text', value }
}

/** Code as written, without the indentation that all its lines share. */
export function codeBlock(written: string, lang?: string): TreeNode {
  const lines = written
    .replace(/\t/g, '        ')
    .trimEnd()
    .split(/\r\n|\r|\n/)
  const filled = lines.filter((line) => line.trim() !== '')
  const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length), 1000)
  return { type: 'code', value: lines.map((line) => line.slice(indent)).join('\n'), ...(lang ? { lang } : {}) }
}

/** A box with a name, as a component has it. */
export function box(name: string, children: TreeNode[], title = ''): TreeNode {
  const attributes = title === '' ? [] : [{ type: 'mdxJsxAttribute', name: 'title', value: title }]
  return parent('directive', children, { name, attributes })
}

export function listItem(children: TreeNode[]): TreeNode {
  return parent('listItem', children, { spread: false })
}

/** An item after the last one of a list, or in a new list. */
export function addItem(nodes: TreeNode[], item: TreeNode, isOrdered: boolean): void {
  const last = nodes.at(-1)
  if (last?.type === 'list' && last['ordered'] === isOrdered) last.children?.push(item)
  else nodes.push(parent('list', [item], { ordered: isOrdered, spread: false }))
}

/** The index of the line after the block that ends at `end`. */
export function lineAfter(lines: readonly { readonly start: number }[], at: number, end: number): number {
  let next = at + 1
  while ((lines[next]?.start ?? Infinity) < end) next += 1
  return next
}

/** The index of the first range that begins at `start` or later. The ranges are in order. */
export function firstFrom(ranges: readonly { readonly start: number }[], start: number): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.start ?? 0) < start) low = middle + 1
    else high = middle
  }
  return low
}
