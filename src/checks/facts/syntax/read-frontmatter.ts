// Reads the facts of the frontmatter of a page.

import type { MarkdownPage } from '../../../docs-syntax/page.ts'
import { readToml, tomlFields } from '../../../docs-syntax/toml.ts'
import { fieldsIn, readYaml } from '../../../docs-syntax/yaml.ts'
import type { Frontmatter } from '../page-facts.ts'
import type { LineOf } from './source.ts'

export function readFrontmatter(page: MarkdownPage, source: string, lineOf: LineOf): Frontmatter | null {
  const { frontmatter } = page
  if (!frontmatter) return null
  const body = source.slice(frontmatter.body.start, frontmatter.body.end)
  const line = lineOf(frontmatter.start)
  if (frontmatter.kind === 'toml') {
    const toml = readToml(body)
    const { problem, names } = toml
    return { line, names, ...tomlFields(toml), problem: problem && { ...problem, line: line + problem.line } }
  }
  const { keys, strings, problem } = readYaml(body)
  return {
    line,
    names: keys.map(({ name }) => name),
    ...fieldsIn(strings),
    problem: problem === undefined ? null : { line: line + 1, message: firstSentence(problem) },
  }
}

export function firstSentence(message: string): string {
  return message.split(/\.\s|\n/, 1)[0]?.replace(/[.:]$/, '') ?? message
}
