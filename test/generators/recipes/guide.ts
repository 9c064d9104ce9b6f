// The snippets of the guide, as readers copy them.

import { readFileSync } from 'node:fs'

const page = readFileSync(new URL('../../../docs/guides/recipes.md', import.meta.url), 'utf8')

/** The blocks of code below a heading, before the next one. */
export function snippets(heading: string): readonly string[] {
  const [, after = ''] = page.split(new RegExp(`^#{2,3} ${heading}$`, 'm'))
  const [part = ''] = after.split(/^#{2,3} /m)
  const found = Array.from(part.matchAll(/^```\w+\n([^]*?)^```$/gm), ([, code = '']) => code)
  if (found.length === 0) throw new Error(`the guide has no code below ${heading}`)
  return found
}

/** A row of the table of policies: whether the generator needs inline scripts. */
export function needsInline(generator: string): boolean {
  const row = new RegExp(`^\\| ${generator} \\|(.*)\\|$`, 'm').exec(page)
  if (!row) throw new Error(`the guide has no row of ${generator}`)
  return row[1]?.trim().startsWith('needed') === true
}
