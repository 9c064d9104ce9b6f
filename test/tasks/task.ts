// A task for an agent on a small documentation site, with three writers who play it: a good one, a mediocre one and a
// careless one. The judge compares what each leaves with what the task wants.

import type { SiteFiles } from '../support/docs-sites.ts'
import type { ReadyName } from '../../src/automations/ready/kinds.ts'
import type { Scripted } from '../support/model-server.ts'

/** The aspects by which a change is judged. Without `task` and `content`, the others are worth nothing. */
export const aspects = ['task', 'content', 'links', 'navigation', 'outside', 'text'] as const
export type Aspect = (typeof aspects)[number]

/** A condition on the result: a file contains texts, or lacks them, or is gone. */
export type Wanted = {
  readonly path: string
  readonly contains?: readonly string[]
  readonly lacks?: readonly string[]
  readonly isGone?: true
}

export type Task = {
  readonly name: string
  readonly files: SiteFiles
  /** A ready-made automation asks for it, instead of messages. */
  readonly automation?: Automated
  /** The instruction, and the messages that follow it when the job has ended. */
  readonly messages: readonly string[]
  readonly wanted: readonly Wanted[]
  /** Globs of the files that the task may change. */
  readonly mayChange: readonly string[]
  /** Lines of the base that the task takes away or rewrites. */
  readonly mayLose?: RegExp
  /** A page that the task deletes with its content. */
  readonly deletes?: string
  readonly text: {
    /** The title or the text of the pull request must name these. */
    readonly names: readonly RegExp[]
    /** Neither may say any of these, which would not be true. */
    readonly never?: readonly RegExp[]
  }
  readonly good: Writer
  readonly mediocre: Writer
  readonly careless: Writer
}

export type Automated = {
  readonly kind: ReadyName
  /** The files before the last commit of the documentation. */
  readonly earlier?: SiteFiles
  /** The commits of a source of the product: the first one is older than the documentation, the others are newer. */
  readonly source?: readonly SiteFiles[]
  /** Pages that six visitors asked for on three days, and that were not there. */
  readonly lost?: readonly string[]
  /** The model reads these. */
  readonly asks: readonly RegExp[]
}

export type Writer = {
  /** The turns for each message of the task. */
  readonly turns: readonly (readonly Scripted[])[]
  /** The aspects in which the result is wrong; `unpublished`: the checks let nothing through. `refused`: the policy does. */
  readonly faults: readonly Aspect[] | 'unpublished' | 'refused'
  /** The service says these in the pull request, or to the model in the results of its calls. */
  readonly says?: readonly RegExp[]
}

type Call = { readonly name: string; readonly input: object }

/** Several calls in one turn. */
export function turn(...calls: readonly Call[]): Scripted {
  return { calls }
}

export function edit(path: string, ...edits: readonly (readonly [oldText: string, newText: string])[]): Call {
  return { name: 'edit_file', input: { path, edits: edits.map(([oldText, newText]) => ({ oldText, newText })) } }
}

export function write(path: string, content: string): Call {
  return { name: 'write_file', input: { path, content } }
}

export function call(name: string, input: object): Call {
  return { name, input }
}

export function finish(title: string, summary: string): Scripted {
  return { calls: [{ name: 'finish', input: { title, summary } }] }
}
