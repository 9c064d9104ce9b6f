// Replays a history from its first commit on, by the first parent, and counts in how many lines of its code and of its pages each
// documented term is: when the code lost a term, and when the pages did. A term that any line of code still has in another
// spelling is not lost, and a line of a page that says itself that something is gone does not name it. It uses git and the extraction
// of terms, nothing of drift but which paths are code and pages, and which lines of code define a name.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isPagePath } from '../../src/docs-syntax/markdown.ts'
import { readMarkedTerms } from '../../src/docs-syntax/terms/code-terms.ts'
import { termKeys } from '../../src/docs-syntax/terms/term-keys.ts'
import { definitionOf } from '../../src/checks/drift/sources/definition.ts'
import { isCurrentPath } from '../../src/checks/drift/excused.ts'
import { isProduct, isRead } from '../../src/checks/drift/sources/product-files.ts'

/** Places of commits, the oldest is 0. */
export type Life = {
  readonly text: string
  /** When code had it and lost it, and had it again. */
  readonly code: readonly { readonly at: number; readonly isThere: boolean }[]
  readonly docs: readonly { readonly at: number; readonly isThere: boolean }[]
}

export type History = { readonly commits: readonly string[]; readonly lives: readonly Life[] }

/** The part that code must have: the last part of `Client.close`. */
const lastPart = /[^./:#]+$/

/** Lines of pages that know that what they name is gone. */
const saysSo =
  /\bdeprecat|\bno longer\b|\bremoved?\b|\brenam|\bformerly\b|\b(?:previous|older) (?:release|version)|\bwas (?:named|called)\b|\binstead of\b|\breplaced? (?:by|with)\b|versionchanged/i
/** Comments of HTML, addresses and what a link leads to name nothing. */
const hidden =
  /<!--.*?-->|\b[a-z]+:\/\/\S+|\]\([^)\s]*|\b(?:id|href|title)="[^"]*"|\b(?:[a-z\d-]+\.)+(?:com|org|io|net|dev)\/\S+/g
const token = /[A-Za-z\d_-]*[A-Za-z\d]/g

type Draft = {
  text: string
  key: string
  product: number
  all: number
  pages: number
  had: boolean
  code: Life['code'][number][]
  docs: Life['docs'][number][]
}

const left = ['lock', 'snap', 'svg', 'map', 'min.js', 'min.css', 'po', 'ipynb', 'csv'].map(
  (name) => `:(exclude,glob)**/*.${name}`,
)
const folders = ['vendor', 'node_modules', 'third_party', 'dist', 'site-packages'].map(
  (name) => `:(exclude,glob)**/${name}/**`,
)
const longest = 2_000

export async function walk(gitDir: string): Promise<History> {
  const terms = new Map<string, Draft>()
  const byKey = new Map<string, string[]>()
  await readPatches(gitDir, [...pages()], ({ kind, line }) => {
    if (kind !== 'page') return
    for (const { text, kind: form } of namesIn(line)) {
      const key = keyOf(text)
      if (form === 'path' || key.length < 4 || /^-?_|_$/.test(text) || terms.has(text)) continue
      for (const one of [key, ...withoutPrefix(text)]) byKey.set(one, [...(byKey.get(one) ?? []), text])
      terms.set(text, { text, key, product: 0, all: 0, pages: 0, had: false, code: [], docs: [] })
    }
  })
  const commits = await readPatches(
    gitDir,
    ['.', ...left, ...folders],
    ({ kind, line, step }, touched) => {
      const texts =
        kind === 'page'
          ? new Set(namesIn(line).map(({ text }) => text))
          : new Set(keysIn(line).flatMap((key) => byKey.get(key) ?? []))
      for (const text of texts) {
        const draft = terms.get(text)
        if (!draft) continue
        touched.add(text)
        if (kind === 'page') draft.pages += step
        else {
          draft.all += step
          if (kind === 'product' && (draft.had || definitionOf(draft.key, line) !== undefined)) draft.product += step
        }
      }
    },
    (at, touched) => {
      for (const text of touched) {
        const draft = terms.get(text)
        if (!draft) continue
        draft.had ||= draft.product > 0
        note(draft.code, at, draft.had && draft.all > 0)
        note(draft.docs, at, draft.pages > 0)
      }
    },
  )
  return { commits, lives: [...terms.values()].filter(({ had }) => had) }
}

function namesIn(line: string) {
  if (saysSo.test(line)) return []
  return readMarkedTerms(line.replace(hidden, ' ')).map(({ text, kind }) => ({
    text: text.replace(/^\.(?=\w)/, ''),
    kind,
  }))
}

/** The keys of each run of letters, and of its parts between hyphens. */
function keysIn(line: string): string[] {
  return Array.from(line.matchAll(token), ([written]) => written).flatMap((written) =>
    written.includes('-') ? [written, ...written.split('-')].map(wholeOf) : [wholeOf(written)],
  )
}

/** `ACME_PAGE_SIZE` is there if `page_size` is: products put a prefix before their settings. */
function withoutPrefix(text: string): string[] {
  const [, ...rest] = text.split('_')
  return /^[A-Z\d_]+$/.test(text) && rest.length > 1 ? [wholeOf(rest.join('_'))] : []
}

function wholeOf(text: string): string {
  return termKeys(text).whole
}

function keyOf(text: string): string {
  return wholeOf(lastPart.exec(text)?.[0] ?? text)
}

function note(list: { at: number; isThere: boolean }[], at: number, isThere: boolean): void {
  if ((list.at(-1)?.isThere ?? false) !== isThere) list.push({ at, isThere })
}

function* pages() {
  for (const extension of ['md', 'mdx', 'markdown', 'rst', 'adoc', 'asciidoc']) yield `:(glob)**/*.${extension}`
}

type Line = { readonly kind: 'page' | 'product' | 'other'; readonly line: string; readonly step: 1 | -1 }

async function readPatches(
  gitDir: string,
  paths: readonly string[],
  onLine: (line: Line, touched: Set<string>) => void,
  onCommit: (at: number, touched: ReadonlySet<string>) => void = () => undefined,
): Promise<string[]> {
  const args = [
    'log',
    '--first-parent',
    '--diff-merges=first-parent',
    '--reverse',
    '-p',
    '-U0',
    '--no-renames',
    '--format=commit %H',
  ]
  const env = { ...process.env, GIT_NO_LAZY_FETCH: '1' }
  const child = spawn('git', ['--git-dir', gitDir, ...args, 'HEAD', '--', ...paths], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const commits: string[] = []
  let touched = new Set<string>()
  let kind: Line['kind'] | undefined
  let isBody = false
  let rest = ''
  for await (const chunk of child.stdout) {
    const lines = (rest + (chunk as Buffer).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(line)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`${gitDir} is not whole: git log ended with ${code}.`)
  onCommit(commits.length - 1, touched)
  return commits

  function takeLine(line: string): void {
    if (line.startsWith('commit ') && line.length === 47) {
      if (commits.length > 0) onCommit(commits.length - 1, touched)
      touched = new Set()
      commits.push(line.slice(7))
      isBody = false
    } else if (line.startsWith('diff --git ')) isBody = false
    else if (line.startsWith('@@')) isBody = true
    else if (!isBody) {
      const path = /^(?:---|\+\+\+) "?[ab]\/(.*?)"?$/.exec(line)?.[1]
      if (path !== undefined) kind = kindOf(path)
    } else if (kind !== undefined && line.length < longest && (line.startsWith('+') || line.startsWith('-'))) {
      onLine({ kind, line: line.slice(1), step: line.startsWith('+') ? 1 : -1 }, touched)
    }
  }
}

function kindOf(path: string): Line['kind'] | undefined {
  if (isPagePath(path)) return isCurrentPath(path) ? 'page' : undefined
  if (!isRead({ path, kind: 'file', size: 0, oid: '' })) return undefined
  return isProduct(path) ? 'product' : 'other'
}
