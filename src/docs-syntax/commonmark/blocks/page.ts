// A page while its blocks are read.

import type { Container, Surroundings } from './containers.ts'
import type { Content } from '../content.ts'
import type { HtmlBlock } from './html.ts'
import type { Fence } from './starts.ts'
import type { SyntaxNode } from '../../syntax.ts'

/** The text of a block, which is read when all definitions are known. `children` gets its nodes. */
export type BlockText = { readonly content: Content; readonly from: number; readonly children: SyntaxNode[] }

/** A paragraph, of which the last line may turn out to be the head of a table. `ranges`: of its lines. */
type Paragraph = {
  readonly kind: 'paragraph'
  readonly ranges: number[]
  last: { readonly first: number; readonly end: number; readonly mayBeHead: boolean }
  /** Whether it may begin with the box of a task. */
  readonly isInItem: boolean
}

/** `into`: gets the node of the block when it ends. */
export type Leaf = { readonly into: SyntaxNode[] } & (
  | Paragraph
  | { readonly kind: 'fence'; readonly fence: Fence; readonly start: number; end: number; next: number }
  | { readonly kind: 'html'; readonly block: HtmlBlock; readonly start: number; end: number; next: number }
  | { readonly kind: 'indented'; readonly start: number; end: number }
  | { readonly kind: 'table'; readonly cells: SyntaxNode[] }
)

export type ParagraphLeaf = Extract<Leaf, { readonly kind: 'paragraph' }>

export type Page = Surroundings & {
  readonly isMdx: boolean
  /** The names of link definitions. */
  readonly names: Set<string>
  readonly texts: BlockText[]
  readonly root: SyntaxNode[]
  readonly containers: Container[]
  leaf: Leaf | undefined
  /** Whether it has JSX, expressions or modules. */
  hasJsx: boolean
}

export function createPage(source: string, isMdx: boolean): Page {
  return {
    source,
    isMdx,
    mostIndent: isMdx ? Infinity : 3,
    names: new Set(),
    footnotes: new Set(),
    texts: [],
    root: [],
    containers: [],
    leaf: undefined,
    hasJsx: false,
  }
}

/** The blocks in the innermost container. */
export function childrenOf({ containers, root }: Page): SyntaxNode[] {
  return containers.at(-1)?.children ?? root
}
