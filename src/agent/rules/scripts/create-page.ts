// Adds a page: writes its file with a title, and lists it in the navigation of docs.json or mint.json.

import { posix } from 'node:path'
import { writeYamlString } from '../../../docs-syntax/yaml.ts'
import type { CreatePage } from '../instruction.ts'
import { toLineEdits } from '../line-edits.ts'
import { type Outcome, type Script, callOne, listFiles, readPages, unchanged } from '../script.ts'
import { cleanPath } from './find-page.ts'
import { navigationSplice } from './navigation-entry.ts'

export function* createPage(instruction: CreatePage): Script {
  const files = yield* listFiles('Looking at the layout of the site.')
  const { path, config } = choosePath(instruction.path, files)
  const content = pageText(instruction, path)
  const existing = files.filter((file) => withoutExtension(file) === withoutExtension(path))
  if (existing.length > 0) return unchanged(`No page was added, because ${existing.join(' and ')} already exists.`)
  const result = yield* callOne(`Writing ${path}.`, { tool: 'write_file', input: { path, content } })
  if (result.isError) return unchanged(`${path} was not added: ${result.text}`)
  const done = [`Added the page ${path}.`]
  if (config === undefined) return { changed: true, done, left: [] }
  const listed = yield* addToNavigation(instruction, { path, config })
  return { changed: true, done: [...done, ...listed.done], left: listed.left }
}

type Target = { readonly path: string; readonly config: string | undefined }

/**
 * Chooses the path of a new page. If the repository has exactly one site, the page goes into the folder of that site. A
 * path without an extension gets the one that is more common in its folder, then in the repository, otherwise `.mdx`.
 */
export function choosePath(name: string, files: readonly string[]): Target {
  const wanted = cleanPath(name)
  const configs = files.filter((file) => /(?:^|\/)(?:docs|mint)\.json$/.test(file))
  const folders = configs.map((config) => posix.dirname(config).replace(/^\.$/, ''))
  const [only = ''] = folders
  const isInSite = folders.some((folder) => folder === '' || wanted.startsWith(`${folder}/`))
  const path = folders.length === 1 && !isInSite ? posix.join(only, wanted) : wanted
  // Files are sorted, so the last match is the most deeply nested site.
  const config = configs.findLast((one) => posix.dirname(one) === '.' || path.startsWith(`${posix.dirname(one)}/`))
  if (/\.(?:mdx?|markdown)$/.test(path)) return { path, config }
  const siblings = files.filter((file) => posix.dirname(file) === posix.dirname(path))
  // Returns undefined if both are equally common. Names in capitals (README.md, CHANGELOG.md) do not count.
  const prefersMd = (list: readonly string[]): boolean | undefined => {
    const md = list.filter((file) => file.endsWith('.md') && !/(?:^|\/)[A-Z_]+\.md$/.test(file)).length
    const mdx = list.filter((file) => file.endsWith('.mdx')).length
    return md === mdx ? undefined : md > mdx
  }
  return { path: path + ((prefersMd(siblings) ?? prefersMd(files)) ? '.md' : '.mdx'), config }
}

function pageText({ title, content }: CreatePage, path: string): string {
  if (content.startsWith('---\n')) return `${content}\n`
  const name = title ?? titleOf(path)
  return `---\ntitle: ${writeYamlString(name)}\n---\n${content === '' ? '' : `\n${content}\n`}`
}

/** `guides/custom-domains.mdx` becomes “Custom domains”. */
function titleOf(path: string): string {
  const words = posix.parse(path).name.replace(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function* addToNavigation(
  instruction: CreatePage,
  { path, config }: { path: string; config: string },
): Script<Omit<Outcome, 'changed'>> {
  const pages = yield* readPages('Reading the navigation.', [config])
  const page = pages.get(config)
  const name = withoutExtension(posix.relative(`/${posix.dirname(config)}`, `/${path}`))
  const notAdded = (reason: string) => ({ done: [], left: [`${name} was not added to ${config}: ${reason}`] })
  if (!page || 'problem' in page) return notAdded(page?.problem ?? `${config} could not be read.`)
  const splice = navigationSplice(page.text, name, instruction.group)
  if ('problem' in splice) return notAdded(splice.problem)
  const edits = toLineEdits(page.text, [splice])
  const result = yield* callOne(`Adding ${name} to the navigation.`, {
    tool: 'edit_file',
    input: { path: config, edits },
  })
  return result.isError
    ? notAdded(result.text)
    : { done: [`Added ${name} to the navigation in ${config}${splice.where}.`], left: [] }
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:mdx?|markdown)$/, '')
}
