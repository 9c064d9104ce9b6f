// The script that sets one field of a page's frontmatter. All other bytes of the page stay unchanged.

import type { MarkdownPage } from '../../../docs-syntax/page.ts'
import type { Splice } from '../../../docs-syntax/text.ts'
import { readYaml, writeYamlString } from '../../../docs-syntax/yaml.ts'
import { parsePage } from '../../../docs-syntax/markdown.ts'
import type { SetField } from '../instruction.ts'
import { toLineEdits } from '../line-edits.ts'
import { type Script, callOne, readPages, reasonOf, unchanged } from '../script.ts'
import { findPage } from './find-page.ts'

export function* setField(instruction: SetField): Script {
  const { field, value } = instruction
  const found = yield* findPage(instruction.path)
  if ('problem' in found) return unchanged(`${found.problem} Its ${field} was not set.`)
  const { path } = found
  const pages = yield* readPages(`Reading ${path}.`, [path])
  const page = pages.get(path)
  if (!page || 'problem' in page) return unchanged(`${path} was not read: ${page?.problem ?? ''}`)
  const splice = fieldSplice(parsePage(path, page.text), page.text, instruction)
  if ('problem' in splice) return unchanged(`The ${field} of ${path} was not set: ${splice.problem}`)
  if (page.text.slice(splice.start, splice.end) === splice.text)
    return unchanged(`The ${field} of ${path} is “${value}” already.`)
  const edits = toLineEdits(page.text, [splice])
  const call =
    page.text === ''
      ? { tool: 'write_file', input: { path, content: splice.text } }
      : { tool: 'edit_file', input: { path, edits } }
  const result = yield* callOne(`Setting the ${field} of ${path}.`, call)
  if (result.isError) return unchanged(`The ${field} of ${path} was not set: ${reasonOf(result)}`)
  return { changed: true, done: [`Set the ${field} of ${path} to “${value}”.`], left: [] }
}

type Field = Pick<SetField, 'field' | 'value' | 'isBare'>

/** Returns the splice that sets the field: replaces its value, adds a line, or adds frontmatter at the top. */
function fieldSplice(page: MarkdownPage, text: string, { field, value, isBare }: Field): Splice | { problem: string } {
  const { frontmatter } = page
  const fresh = isBare ? value : writeYamlString(value)
  const line = `${writeYamlString(field)}: ${fresh}`
  if (!frontmatter) return { start: 0, end: 0, text: `---\n${line}\n---\n${text === '' ? '' : '\n'}` }
  if (frontmatter.kind === 'toml') return { problem: 'the frontmatter is TOML.' }
  if (frontmatter.problem !== undefined) return { problem: 'the frontmatter is no valid YAML.' }
  const { start, end } = frontmatter.body
  const { keys, strings } = readYaml(text.slice(start, end), start)
  const key = keys.find(({ name }) => name === field)
  if (!key) return start === end ? { start, end, text: `${line}\n` } : { start: end, end, text: `\n${line}` }
  const colon = key.end + (/^\s*:/.exec(text.slice(key.end))?.[0].length ?? 0)
  const old = text.slice(key.value.start, key.value.end).trimEnd()
  if (old === '') return { start: colon, end: colon, text: ` ${fresh}` }
  const string = strings.find((one) => one.start === key.value.start && one.path.length === 1)
  if (!string && old.includes('\n')) return { problem: 'it holds more than one value.' }
  const written = isBare ? value : writeYamlString(value, string?.style)
  return { start: key.value.start, end: key.value.start + old.length, text: written }
}
