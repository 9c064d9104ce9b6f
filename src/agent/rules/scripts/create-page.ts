// The script that adds a page: its file with a title, and its entry in the navigation of docs.json.

import { posix } from 'node:path'
import { writeYamlString } from '../../../docs-syntax/yaml.ts'
import type { CreatePage } from '../instruction.ts'
import { toLineEdits } from '../line-edits.ts'
import { type Outcome, type Script, callOne, listFiles, readPages, unchanged } from '../script.ts'
import { cleanPath } from './find-page.ts'
import { navigationSplice } from './navigation-entry.ts'

export function* createPage(instruction: CreatePage): Script {
  const files = yield* listFiles('Looking at the layout of the site.')
  const place = placePage(instruction.path, files)
  const { path } = place
  const content = pageText(instruction, path)
  const same = files.filter((file) => withoutExtension(file) === withoutExtension(path))
  if (same.length > 0) return unchanged(`${same.join(', ')} is there already, so no page was added.`)
  const answer = yield* callOne(`Writing ${path}.`, { tool: 'write_file', input: { path, content } })
  if (answer.isError) return unchanged(`${path} was not added: ${answer.text}`)
  const done = [`Added the page ${path}.`]
  if (place.config === undefined) return { changed: true, done, left: [] }
  const entered = yield* enter(instruction, { path, config: place.config })
  return { changed: true, done: [...done, ...entered.done], left: entered.left }
}

type Place = { readonly path: string; readonly config: string | undefined }

/** Where the page goes: in the folder of the site when there is one, with the extension that its neighbours have. */
export function placePage(name: string, files: readonly string[]): Place {
  const wanted = cleanPath(name)
  const configs = files.filter((file) => /(?:^|\/)(?:docs|mint)\.json$/.test(file))
  const folders = configs.map((config) => posix.dirname(config).replace(/^\.$/, ''))
  const [only = ''] = folders
  const inSite = folders.some((folder) => folder === '' || wanted.startsWith(`${folder}/`)) || folders.length !== 1
  const path = inSite ? wanted : posix.join(only, wanted)
  const config = configs.findLast((one) => posix.dirname(one) === '.' || path.startsWith(`${posix.dirname(one)}/`))
  if (/\.(?:mdx?|markdown)$/.test(path)) return { path, config }
  const near = files.filter((file) => posix.dirname(file) === posix.dirname(path))
  const isPlain = (list: readonly string[]): boolean | undefined => {
    const plain = list.filter((file) => file.endsWith('.md') && !/(?:^|\/)[A-Z_]+\.md$/.test(file)).length
    const mdx = list.filter((file) => file.endsWith('.mdx')).length
    return plain === mdx ? undefined : plain > mdx
  }
  return { path: path + ((isPlain(near) ?? isPlain(files)) ? '.md' : '.mdx'), config }
}

function pageText({ title, content }: CreatePage, path: string): string {
  if (content.startsWith('---\n')) return `${content}\n`
  const name = title ?? titleOf(path)
  return `---\ntitle: ${writeYamlString(name)}\n---\n${content === '' ? '' : `\n${content}\n`}`
}

/** `guides/custom-domains.mdx` is “Custom domains”. */
function titleOf(path: string): string {
  const words = posix.parse(path).name.replace(/[-_]+/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function* enter(
  instruction: CreatePage,
  { path, config }: { path: string; config: string },
): Script<Omit<Outcome, 'changed'>> {
  const pages = yield* readPages('Reading the navigation.', [config])
  const page = pages.get(config)
  const name = withoutExtension(posix.relative(`/${posix.dirname(config)}`, `/${path}`))
  const left = (reason: string) => ({ done: [], left: [`${name} was not added to ${config}: ${reason}`] })
  if (!page || 'problem' in page) return left(page?.problem ?? 'it was not read.')
  const splice = navigationSplice(page.text, name, instruction.group)
  if ('problem' in splice) return left(splice.problem)
  const edits = toLineEdits(page.text, [splice])
  const answer = yield* callOne('Adding it to the navigation.', { tool: 'edit_file', input: { path: config, edits } })
  return answer.isError
    ? left(answer.text)
    : { done: [`Added ${name} to the navigation in ${config}${splice.where}.`], left: [] }
}

function withoutExtension(path: string): string {
  return path.replace(/\.(?:mdx?|markdown)$/, '')
}
