// Writes a new page in the form of its neighbours: frontmatter with the fields that all of them have, and a heading where
// they have one. Says which fields it could not fill.

import { parsePage } from '../../docs-syntax/markdown.ts'
import { readYaml, writeYamlString } from '../../docs-syntax/yaml.ts'

export type NewPage = { readonly title: string; readonly content: string }
export type WrittenPage = { readonly text: string; readonly missing: readonly string[] }
export type Neighbour = { readonly path: string; readonly text: string }

type Shape = { readonly fields: ReadonlyMap<string, string> | undefined; readonly hasHeading: boolean }

const titles = /^(?:title|sidebar_?[tT]itle|sidebar_label)$/
const summaries = /^(?:description|summary|excerpt)$/
const positions = /^(?:sidebar_position|nav_order|position|order|weight)$/

export function writePage({ title, content }: NewPage, neighbours: readonly Neighbour[]): WrittenPage {
  if (content.startsWith('---\n')) return { text: `${content}\n`, missing: [] }
  const shapes = neighbours.map((page) => readShape(page))
  const usesFields = shapes.length === 0 || isMost(shapes, ({ fields }) => fields !== undefined)
  const usesHeading = isMost(shapes, ({ hasHeading }) => hasHeading)
  const needsTitle = !usesHeading || isMost(shapes, ({ fields }) => fields?.has('title') === true)
  const lines: string[] = []
  const missing: string[] = []
  for (const name of usesFields ? commonFields(shapes, needsTitle) : []) {
    const value = valueOf(name, { title, content, shapes })
    if (value === undefined) missing.push(name)
    else lines.push(`${writeYamlString(name)}: ${value}`)
  }
  const head = usesHeading || !usesFields
  const heading = head && !/^#\s/.test(content) ? [`# ${title}`] : []
  const matter = lines.length > 0 ? [`---\n${lines.join('\n')}\n---`] : []
  const parts = [...matter, ...heading, ...(content === '' ? [] : [content])]
  return { text: `${parts.join('\n\n')}\n`, missing }
}

function readShape({ path, text }: Neighbour): Shape {
  const { frontmatter, headings } = parsePage(path, text)
  const hasHeading = headings[0]?.depth === 1
  if (frontmatter?.kind !== 'yaml' || frontmatter.problem !== undefined) return { fields: undefined, hasHeading }
  const { start, end } = frontmatter.body
  const { keys } = readYaml(text.slice(start, end), start)
  const fields = new Map(keys.map(({ name, value }) => [name, text.slice(value.start, value.end).trim()]))
  return { fields, hasHeading }
}

/** In the order of the first neighbour that has fields. */
function commonFields(shapes: readonly Shape[], needsTitle: boolean): string[] {
  const all = shapes.flatMap(({ fields }) => fields ?? [])
  const common = [...(all[0]?.keys() ?? [])].filter((name) => all.every((fields) => fields.has(name)))
  return needsTitle && !common.includes('title') ? ['title', ...common] : common
}

type Known = NewPage & { readonly shapes: readonly Shape[] }

/** Returns the value as YAML; undefined if only a person knows it. */
function valueOf(name: string, { title, content, shapes }: Known): string | undefined {
  const values = shapes.flatMap(({ fields }) => fields?.get(name) ?? [])
  const [first = ''] = values
  if (titles.test(name)) return writeYamlString(title)
  if (summaries.test(name)) return firstSentence(content)
  if (positions.test(name) && values.every((value) => /^\d+$/.test(value)))
    return String(Math.max(...values.map(Number)) + 1)
  const isSame = values.length > 1 && values.every((value) => value === first) && !first.includes('\n')
  return isSame ? first : undefined
}

/** The first sentence of plain prose. */
function firstSentence(content: string): string | undefined {
  const line = content.split('\n').find((one) => one.trim() !== '') ?? ''
  const sentence = /^[^.!?]+(?:[.!?](?!\s)[^.!?]*)*[.!?]?/.exec(line.trim())?.[0] ?? ''
  return /^\p{Lu}[^`[\]<>{}*_#|]{2,200}$/u.test(sentence) ? writeYamlString(sentence) : undefined
}

function isMost(shapes: readonly Shape[], holds: (shape: Shape) => boolean): boolean {
  return shapes.filter(holds).length * 2 > shapes.length
}
