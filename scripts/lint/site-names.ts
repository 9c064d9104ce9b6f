// A lint rule: only `src/sites` knows a generator. Names of kinds, of their configuration and of their navigation are in no
// text or pattern elsewhere, and nothing asks for a kind: what differs between kinds is a property of a site.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RuleTester } from 'oxlint/plugins-dev'
import { siteKinds } from '../../src/sites/kinds.ts'

type Rule = Parameters<RuleTester['run']>[1]

const message = 'Only `src/sites` knows a generator: ask a property of the site, or `sites/by-path/known-files.ts`.'
/** The extension of a component, which is no site. */
const component = /\.astro(?![\w./])/g
/** Generators that are no kind, and files besides the configurations. */
const others = [
  ...'eleventy gatsby honkit quarto zensical astro'.split(' '),
  ...'mint.json docs|mint _category_ _meta meta.json sidebars.js sidebars.json SUMMARY.md nav.adoc'.split(' '),
]

const names = [...siteKinds.filter((kind) => kind !== 'plain'), ...configNames(), ...others]
const name = new RegExp(
  String.raw`(?<![\w-])(?:${names.map((one) => one.replaceAll(/[.|]/g, '[$&]')).join('|')})(?![\w-])`,
  'i',
)

export const siteNames: Rule = {
  create(context) {
    return {
      Literal: (node) => {
        const isAsked = node.value === 'plain' && node.parent.type === 'BinaryExpression'
        const isOfSite = isAsked && /\bsite\.kind\b/i.test(context.sourceCode.getText(node.parent))
        if (isOfSite || hasName(node.raw ?? '')) context.report({ node, message })
      },
      TemplateElement: (node) => {
        if (hasName(node.value.raw)) context.report({ node, message })
      },
    }
  },
}

/** Also in a pattern, where marks are escaped. */
function hasName(text: string): boolean {
  return name.test(text.replaceAll('\\', '').replaceAll(component, ''))
}

/** The usual configuration of each kind: `conf.py`, and `astro.config` with any ending. */
function configNames(): string[] {
  const folder = join(import.meta.dirname, '../../src/sites/kinds')
  const kinds = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) => one.endsWith('.ts'))
  const texts = kinds.map((one) => readFileSync(join(folder, one), 'utf8'))
  const files = texts.flatMap((text) => /^ {2}usual: '([^'/]+)'/m.exec(text)?.[1] ?? [])
  // Any site may have a page with this name.
  return files.filter((file) => file !== 'index.html').map((file) => file.replace(/(?<=^_\w+|\.config)\.\w+$/, ''))
}
