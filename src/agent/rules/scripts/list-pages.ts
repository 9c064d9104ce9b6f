// The script that adds the pages that the navigation lacks, each in the form of its neighbours: those that the check names,
// and those of folders whose other pages are listed.

import { posix } from 'node:path'
import { createGlobMatcher, toGlobs as splitGlobs } from '../../../docs-syntax/glob.ts'
import { applySplices } from '../../../docs-syntax/text.ts'
import { parsePage } from '../../../docs-syntax/markdown.ts'
import { createTranslations } from '../../../sites/translations.ts'
import type { ListPages } from '../instruction.ts'
import { toLineEdits } from '../line-edits.ts'
import { planEntry } from '../navigation/entry.ts'
import { contentFolders, navigationFiles } from '../navigation/site-files.ts'
import { findUnlisted } from '../navigation/unlisted.ts'
import {
  type Call,
  callAll,
  type Layout,
  readLayout,
  readPages,
  reasonOf,
  type Script,
  textsOf,
  unchanged,
} from '../script.ts'
import { toGlob } from '../scopes.ts'
import { amount } from '../words.ts'
import { findWanted } from './fix-problems.ts'

type Listed = { readonly path: string; readonly file: string; readonly where: string }

export function* listPages(instruction: ListPages): Script {
  const layout = yield* readLayout()
  const { paths } = layout
  const folders = contentFolders(layout)
  const files = [...new Set(folders.flatMap((folder) => navigationFiles(posix.join(folder, '-'), layout)))]
  const navigation = textsOf(files, yield* readPages('Reading the navigation.', files))
  if (navigation.length === 0) return unchanged('The repository has no navigation that lists pages.')
  const checked = yield* findWanted(instruction.scopes, ({ kind }) => kind === 'unlisted')
  const found = 'reason' in checked ? [] : checked.problems.map(({ path }) => path)
  const isInScope = createScope(instruction.scopes)
  const missing = [...new Set([...found, ...findUnlisted(navigation, layout).filter(isInScope)])].toSorted()
  if (missing.length === 0) return unchanged('The navigation names all pages of the folders that it lists.')
  const translations = instruction.including.includes('translations') ? () => undefined : createTranslations(paths)
  const wanted = missing.filter((path) => translations(path) === undefined)
  const pages = textsOf(wanted, yield* readPages('Reading the pages that the navigation lacks.', wanted))
  const { listed, calls, left } = planEntries(pages, navigation, layout)
  const results = yield* callAll(`Adding ${amount(calls.length, 'page')} to the navigation.`, calls)
  const done = listed.filter((_, index) => !results[index]?.isError)
  const failed = listed.flatMap(({ path }, index) => {
    const result = results[index]
    return result?.isError ? [`${path} was not added to the navigation: ${reasonOf(result)}`] : []
  })
  const translated = missing.length - wanted.length
  const others =
    translated === 0 ? [] : [`${amount(translated, 'translated page')} not added. To add them, include translations.`]
  const rest = [...left, ...failed, ...others]
  if (done.length === 0) return unchanged(...rest)
  const title = `Add ${amount(done.length, 'page')} to the navigation`
  return {
    changed: true,
    title,
    done: done.map(({ path, file, where }) => `Added ${path} to ${file}${where}.`),
    left: rest,
  }
}

type Page = { readonly path: string; readonly text: string }

/** Each call edits the navigation as the calls before it leave it. */
function planEntries(pages: readonly Page[], files: readonly Page[], layout: Layout) {
  const texts = new Map(files.map(({ path, text }) => [path, text]))
  const listed: Listed[] = []
  const calls: Call[] = []
  const left: string[] = []
  for (const { path, text } of pages) {
    if (isHidden(path, text)) {
      left.push(`${path} was not added to the navigation: its frontmatter hides it.`)
      continue
    }
    const navigation = [...texts].map(([path, text]) => ({ path, text }))
    const planned = planEntry({ path, title: titleIn(path, text) }, navigation, layout)
    if (planned.kind !== 'entry') {
      const reason = planned.kind === 'none' ? planned.problem : `${planned.file} lists it by itself.`
      left.push(`${path} was not added to the navigation: ${reason}`)
      continue
    }
    const before = texts.get(planned.file) ?? ''
    calls.push({ tool: 'edit_file', input: { path: planned.file, edits: toLineEdits(before, [planned.splice]) } })
    texts.set(planned.file, applySplices(before, [planned.splice]))
    listed.push({ path, file: planned.file, where: planned.where })
  }
  return { listed, calls, left }
}

function isHidden(path: string, text: string): boolean {
  const { frontmatter } = parsePage(path, text)
  const fields = frontmatter ? text.slice(frontmatter.body.start, frontmatter.body.end) : ''
  return /^(?:hidden|draft|unlisted|noindex)\s*:\s*true\b|^published\s*:\s*false\b/m.test(fields)
}

function createScope(scopes: readonly string[]): (path: string) => boolean {
  if (scopes.length === 0) return () => true
  return createGlobMatcher(scopes.flatMap((scope) => splitGlobs(toGlob(scope))))
}

/** The title of the frontmatter, otherwise the first heading, otherwise the name of the file. */
function titleIn(path: string, text: string): string {
  const { frontmatter, headings } = parsePage(path, text)
  const field = frontmatter?.strings.find(({ path: keys }) => keys.length === 1 && keys[0] === 'title')?.value
  return field ?? headings.find(({ depth }) => depth === 1)?.text ?? titleOf(path)
}

/** `guides/custom-domains.mdx` becomes “Custom domains”. */
function titleOf(path: string): string {
  const words = posix.parse(path).name.replace(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
