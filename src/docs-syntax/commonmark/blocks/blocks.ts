// Reads the blocks of a page, line by line: each line first continues the containers that are open, then begins others, and
// its rest belongs to a block without others in it.

import { continueContainer, startContainer } from './containers.ts'
import { frontmatterOf } from './frontmatter.ts'
import { closeLeaf, continueLeaf, startLeaf } from './leaves.ts'
import { createLine, type Line } from './line.ts'
import { childrenOf, createPage, type Page } from './page.ts'

export function readBlocks(source: string, isMdx: boolean): Page {
  const page = createPage(source, isMdx)
  const frontmatter = frontmatterOf(source)
  if (frontmatter) page.root.push(frontmatter)
  const bounds = createBounds(source)
  let start = frontmatter ? bounds(frontmatter.position.end.offset).next : 0
  while (start < source.length && !page.hasJsx) {
    const { end, next } = bounds(start)
    readLine(page, createLine(source, { start, end, next }))
    start = next
  }
  // A quote ends at an empty line, also if that is the last one.
  if (/[\r\n]$/.test(source)) readLine(page, createLine(source, bounds(source.length)))
  closeLeaf(page)
  return page
}

function readLine(page: Page, line: Line): void {
  const { containers } = page
  let continued = 0
  for (const container of containers) {
    const continuation = continueContainer(page, line, container)
    if (continuation === 'no') break
    continued += 1
    if (continuation === 'yes') continue
    closeLeaf(page)
    containers.length = continued
  }
  const isLazy = continued < containers.length
  const isVerbatim = !isLazy && (page.leaf?.kind === 'fence' || page.leaf?.kind === 'html')
  if (!isVerbatim && startContainers(page, line, continued)) startLeaf(page, line, false)
  else if (!continueLeaf(page, line, isLazy)) {
    containers.length = continued
    startLeaf(page, line, isLazy)
  }
}

/** Whether the line begins a container. */
function startContainers(page: Page, line: Line, continued: number): boolean {
  const { containers, leaf } = page
  const isOpen = leaf?.kind === 'paragraph' || leaf?.kind === 'indented'
  const isInterrupting = isOpen && continued === containers.length
  for (let isFirst = true; ; isFirst = false) {
    const container = startContainer(page, line, isInterrupting)
    if (!container) return !isFirst
    if (isFirst) {
      closeLeaf(page)
      containers.length = continued
    }
    childrenOf(page).push(container.node)
    containers.push(container)
  }
}

type Bounds = { readonly start: number; readonly end: number; readonly next: number }

/** Returns a function that finds the end of a line. It is called for one line after the other. */
function createBounds(source: string): (start: number) => Bounds {
  let feed = source.indexOf('\n')
  let carriage = source.indexOf('\r')
  return (start) => {
    if (feed !== -1 && feed < start) feed = source.indexOf('\n', start)
    if (carriage !== -1 && carriage < start) carriage = source.indexOf('\r', start)
    const isCarriage = carriage !== -1 && (feed === -1 || carriage < feed)
    const end = isCarriage ? carriage : feed
    if (end === -1) return { start, end: source.length, next: source.length }
    return { start, end, next: end + (isCarriage && feed === end + 1 ? 2 : 1) }
  }
}
