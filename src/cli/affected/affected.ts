// `docent affected [path] --since <ref>`: which pages of the documentation in a folder a change of the code concerns. Without a
// service and without a model. The change is in the repository of the folder, or in those that `--source` names.

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { findAffected } from '../../affected/affected.ts'
import { readMessage } from '../../affected/subjects.ts'
import type { Affected, Change, Mode, PastCommit } from '../../affected/types.ts'
import { checkTree } from '../../checks/check-tree.ts'
import { createFactsReader } from '../../checks/facts/reader.ts'
import { pagesToRank } from '../../checks/pages-to-rank.ts'
import { isPagePath } from '../../docs-syntax/markdown.ts'
import { openWorkTree, type WorkTree } from '../../git/read/work-tree.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { createScreen } from '../screen.ts'
import { withCache } from '../check/cache.ts'
import { openFolder } from '../check/folder.ts'

type Options = {
  readonly since: string
  readonly source: readonly string[]
  readonly limit: number
  readonly json?: true
}

type Result = Affected & {
  readonly mode: Mode
  readonly files: number
  readonly commits: number
  readonly known: number
  /** Pages that the change itself has changed. */
  readonly changed: ReadonlySet<string>
}

const usualLimit = 10
const mostShown = 1_000

export function defineAffected(command: Command, context: CommandContext): void {
  command
    .argument('[path]', 'the folder of the documentation', '.')
    .requiredOption('--since <ref>', 'the commits since the merge base with this branch, tag or commit are the change')
    .option(
      '--source <path>',
      'a work tree of the product, whose commits since <ref> are the change; repeatable. Default: the repository of the documentation',
      (path: string, all: readonly string[]) => [...all, path],
      [],
    )
    .option('--limit <number>', `how many pages, 1 to ${mostShown}`, toLimit, usualLimit)
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action(async (path: string, options: Options) => {
      const result = await findPages(context, resolve(path), options)
      if (options.json) context.output.print(JSON.stringify(toJson(result, options)))
      else print(context, result, options)
    })
}

const help = `
The pages are ranked by the terms that they share with the changed lines, paths and messages, and, where the documentation
has a history in common with the code, by what changed together before. No model is asked, and nothing leaves this machine.
Changes that are not committed do not count. The command ends with 0 whether pages are affected or not.

  docent affected docs --since origin/main
  docent affected --since v1.2 --source ../api --source ../cli --json`

function toLimit(written: string): number {
  const limit = Number(written)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostShown) {
    throw usage(`--limit is a whole number from 1 to ${mostShown}.`)
  }
  return limit
}

async function findPages(context: CommandContext, folder: string, { since, source }: Options): Promise<Result> {
  const opened: WorkTree[] = []
  const open = async (path: string, what: string) => {
    const found = await stat(path).catch(() => undefined)
    if (!found?.isDirectory()) throw usage(`There is no folder ${plainText(path)}.`)
    const work = await openWorkTree(path)
    if (work) opened.push(work)
    else if (what === 'source') throw usage(`${plainText(path)} is in no git repository.`)
    return work
  }
  try {
    const docs = await open(folder, 'docs')
    if (!docs && source.length === 0) throw usage('--since needs a folder in a git repository, or --source.')
    const sources = await openAll(source, open)
    const shared = docs === undefined ? false : await sharesHistory(docs, sources)
    const { change, history } = await readChange(docs, { sources, since, shared })
    const prefix = docs?.prefix ?? ''
    const pages = await readPages(context, folder, docs)
    const mode = shared ? 'beside' : 'apart'
    const named = pages(prefix)
    const names = new Set(named.map(({ path }) => path))
    const files = change.files.filter(({ path }) => !names.has(path) && !isPagePath(path))
    const past =
      mode === 'beside'
        ? history
        : history.map(({ paths }) => ({ subject: '', paths: paths.filter((path) => names.has(path)) }))
    const found = findAffected({ change: { ...change, files }, pages: named, history: past, mode })
    const changed = shared ? change.files.map(({ path }) => path).filter((path) => names.has(path)) : []
    const shorten = (path: string) => path.slice(prefix.length)
    return {
      ...found,
      pages: found.pages.map(({ path, score, terms }) => ({ path: shorten(path), score, terms })),
      mode,
      files: files.length,
      commits: change.messages.length,
      known: named.length,
      changed: new Set(changed.map(shorten)),
    }
  } finally {
    for (const work of opened) await work.close()
  }
}

async function openAll(
  paths: readonly string[],
  open: (path: string, what: string) => Promise<WorkTree | undefined>,
): Promise<WorkTree[]> {
  const found: WorkTree[] = []
  for (const path of paths) {
    const work = await open(resolve(path), 'source')
    if (work) found.push(work)
  }
  return found
}

/** Without a source, the change is in the repository of the documentation. */
async function sharesHistory(docs: WorkTree, sources: readonly WorkTree[]): Promise<boolean> {
  if (sources.length === 0) return true
  const roots = new Set(await docs.roots())
  for (const source of sources) if (!(await source.roots()).some((root) => roots.has(root))) return false
  return true
}

type Wanted = { readonly sources: readonly WorkTree[]; readonly since: string; readonly shared: boolean }

async function readChange(
  docs: WorkTree | undefined,
  { sources, since, shared }: Wanted,
): Promise<{ readonly change: Change; readonly history: readonly PastCommit[] }> {
  const from = sources.length > 0 ? sources : docs ? [docs] : []
  const all = await Promise.all(from.map(async (work) => await work.changes(since)))
  const change = { files: all.flatMap(({ files }) => files), messages: all.flatMap(({ messages }) => messages) }
  // In another repository, how often a page changes still says something.
  const own = shared ? all[0] : await docs?.changes('HEAD').catch(() => undefined)
  const history = (own?.history ?? []).map(({ paths, message }) => ({ paths, subject: readMessage(message).title }))
  return { change, history }
}

async function readPages(context: CommandContext, folder: string, work: WorkTree | undefined) {
  const { environment, output, stop } = context
  const reader = createFactsReader()
  const screen = createScreen(output)
  const onProgress = (done: number, total: number) => {
    if (!output.terminal || (done % 10 > 0 && done < total)) return
    screen.live([{ style: 'gray', text: `Reading ${done} of ${total} files` }])
  }
  try {
    const tree = await openFolder(folder, work)
    const checked = await withCache({ environment, folder, facts: reader }, (facts) =>
      checkTree(tree, { facts, onProgress, signal: stop }),
    )
    return (prefix: string) => pagesToRank(checked, prefix)
  } finally {
    screen.clear()
    await reader.close()
  }
}

function print({ output }: CommandContext, result: Result, { since, limit }: Options): void {
  const { pages, concernsDocs, changed, files, commits, known, mode } = result
  output.print(
    `${count(commits, 'commit')} since ${plainText(since)}, ${count(files, 'file')} without pages; ${count(known, 'page')}.`,
  )
  if (!concernsDocs) output.print('The change does not seem to concern the documentation.')
  for (const { path, score, terms } of pages.slice(0, limit)) {
    const mark = changed.has(path) ? ' (changed)' : ''
    output.print(`${score.toFixed(2).padStart(6)}  ${plainText(path)}${mark}`)
    if (terms.length > 0) output.print(`        ${terms.map(plainText).join(', ')}`)
  }
  if (pages.length > limit) output.print(`And ${count(pages.length - limit, 'page')} with a lower score.`)
  if (pages.length === 0) output.print('No page shares a term with the change.')
  if (mode === 'apart') output.print('The documentation has another history, so the terms alone decide.')
}

function toJson({ pages, concernsDocs, score, changed, files, commits, known, mode }: Result, { limit }: Options) {
  return {
    mode,
    concernsDocs,
    score,
    commits,
    files,
    knownPages: known,
    pages: pages.slice(0, limit).map((page) => ({ ...page, changed: changed.has(page.path) })),
  }
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
}
