// The facts of a data file: a function of its bytes and its name, as the facts of a page are.

import type { Problem } from '../../docs-syntax/page.ts'

/** `url`: as written, such as `#/components/schemas/Plant` or `./common.yaml#/Error`. */
export type DataReference = { readonly url: string; readonly line: number }

export type DataFacts = {
  readonly problem: Problem | null
  /** The `$ref`s of an OpenAPI file that lead to another file, or to a place of this one that does not exist. */
  readonly references: readonly DataReference[]
  /** The places to which a `$ref` may lead, to a depth of three, such as `/components/schemas/Plant`. */
  readonly pointers: readonly string[]
}
