// Adds a page in the form of its neighbours, and lists it in the navigation of its site.

import { posix } from 'node:path'
import type { CreatePage } from '../instruction.ts'
import { planEntry } from '../navigation/entry.ts'
import { isPagePath } from '../../../docs-syntax/markdown.ts'
import { contentFolders, navigationFiles, sharedFolders } from '../navigation/site-files.ts'
import { toLineEdits } from '../line-edits.ts'
import { type Neighbour, writePage } from '../page-form.ts'
import {
  type Outcome,
  type Script,
  callOne,
  type Layout,
  readLayout,
  readPages,
  reasonOf,
  textsOf,
  unchanged,
} from '../script.ts'
import { listed } from '../words.ts'
import { cleanPath } from './find-page.ts'

const maxNeighbours = 8

export function* createPage(instruction: CreatePage): Script {
  const layout = yield* readLayout()
  const { paths: files } = layout
  const path = choosePath(instruction.path, layout)
  const existing = files.filter((file) => withoutExtension(file) === withoutExtension(path))
  if (existing.length > 0) return unchanged(`No page was added, because ${existing.join(' and ')} already exists.`)
  const near = neighboursOf(path, files)
  const navigation = navigationFiles(path, layout)
  const read = yield* readPages('Reading the navigation, and pages beside the new one.', [...near, ...navigation])
  const title = instruction.title ?? titleOf(path)
  const { text, missing } = writePage({ title, content: instruction.content }, textsOf(near, read))
  const result = yield* callOne(`Writing ${path}.`, { tool: 'write_file', input: { path, content: text } })
  if (result.isError) return unchanged(`${path} was not added: ${reasonOf(result)}`)
  const fields = missing.length === 0 ? [] : [`${path} has no ${listed(missing)}, which the pages beside it have.`]
  const entry = yield* addToNavigation({ ...instruction, path, title }, textsOf(navigation, read), {
    ...layout,
    paths: [...files, path],
  })
  return { changed: true, done: [`Added the page ${path}.`, ...entry.done], left: [...fields, ...entry.left] }
}

/**
 * Chooses the path of a new page. If the repository has exactly one site, the page goes into the folder of its pages. A
 * path without an extension gets the one that is more common in its folder, then in the repository, otherwise `.mdx`.
 */
export function choosePath(name: string, layout: Layout): string {
  const { paths: files } = layout
  const wanted = cleanPath(name)
  const folders = contentFolders(layout)
  const [only = ''] = folders
  const isInSite = folders.some((folder) => folder === '' || wanted.startsWith(`${folder}/`))
  // Sites with languages have the pages of the main one in a folder of its own.
  const folder = [only, posix.join(only, 'en')].find((one) => hasFolder(posix.join(one, posix.dirname(wanted)), files))
  const path = folders.length === 1 && !isInSite ? posix.join(folder ?? only, wanted) : wanted
  if (isPagePath(path)) return path
  const siblings = files.filter((file) => posix.dirname(file) === posix.dirname(path))
  // Returns undefined if both are equally common. Names in capitals (README.md, CHANGELOG.md) do not count.
  const prefersMd = (list: readonly string[]): boolean | undefined => {
    const md = list.filter((file) => file.endsWith('.md') && !isApart(file)).length
    const mdx = list.filter((file) => file.endsWith('.mdx')).length
    return md === mdx ? undefined : md > mdx
  }
  return path + ((prefersMd(siblings) ?? prefersMd(files)) ? '.md' : '.mdx')
}

/** Pages of the same folder, otherwise the nearest ones. */
function neighboursOf(path: string, files: readonly string[]): string[] {
  const pages = files.filter(
    (file) => isPagePath(file) && !isApart(file) && !/(?:^|\/)(?:index|_[^/]*)\.\w+$/.test(file),
  )
  const beside = pages.filter((file) => posix.dirname(file) === posix.dirname(path))
  const all = beside.length > 0 ? beside : pages.toSorted((a, b) => sharedFolders(b, path) - sharedFolders(a, path))
  return all.slice(0, maxNeighbours)
}

/** `guides/custom-domains.mdx` becomes “Custom domains”. */
export function titleOf(path: string): string {
  const words = posix.parse(path).name.replace(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type Titled = Pick<CreatePage, 'path' | 'group'> & { readonly title: string }

function* addToNavigation(page: Titled, files: readonly Neighbour[], layout: Layout): Script<Omit<Outcome, 'changed'>> {
  const [nearest] = files
  if (!nearest) {
    return { done: [], left: page.group === undefined ? [] : [`There is no navigation for the group “${page.group}”.`] }
  }
  const title = page.title
  const planned = planEntry({ path: page.path, title, group: page.group }, files, layout)
  const notAdded = (file: string, problem: string) => ({
    done: [],
    left: [`${page.path} was not added to ${file}: ${problem}`],
  })
  switch (planned.kind) {
    case 'none':
      return notAdded(nearest.path, planned.problem)
    case 'listed':
      return notAdded(planned.file, 'it is listed already.')
    case 'automatic':
      return { done: [`${planned.file} lists the pages of its folder by itself.`], left: [] }
    case 'entry':
    default: {
      const text = files.find(({ path }) => path === planned.file)?.text ?? ''
      const input = { path: planned.file, edits: toLineEdits(text, [planned.splice]) }
      const result = yield* callOne(`Adding ${page.path} to the navigation.`, { tool: 'edit_file', input })
      if (result.isError) return notAdded(planned.file, reasonOf(result))
      return { done: [`Added it to the navigation in ${planned.file}${planned.where}.`], left: [] }
    }
  }
}

/** README.md and its like are no pages of a site. */
function isApart(path: string): boolean {
  return /(?:^|\/)[A-Z_]+\.md$/.test(path)
}

function hasFolder(folder: string, files: readonly string[]): boolean {
  return files.some((file) => file.startsWith(`${folder}/`))
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:mdx?|markdown)$/, '')
}
