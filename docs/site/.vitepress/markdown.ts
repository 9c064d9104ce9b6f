// Reads the pages as the repository shows them: nothing in them is code of Vue, and links may lead to any file.

import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MarkdownOptions } from 'vitepress'

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0]
type Token = ReturnType<Markdown['parse']>[number]

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The address of the repository, once `package.json` names one. */
export const repository = readRepository()

export function asPlainMarkdown(markdown: Markdown): void {
  markdown.core.ruler.push('plain-markdown', ({ tokens, env }) => {
    const page = (env as { readonly realPath?: string; readonly path: string }).realPath ?? env.path
    for (const block of tokens) block.children = block.children && readInline(block.children, page)
  })
}

/** Without an address of the repository, links to its files keep their text alone. */
function readInline(tokens: readonly Token[], page: string): Token[] {
  const kept: Token[] = []
  let isDropped = false
  for (const token of tokens) {
    // Otherwise `{{ }}` in code would be run.
    if (token.type === 'code_inline') token.attrSet('v-pre', '')
    if (token.type === 'link_open') {
      const file = fileOfRepository(token.attrGet('href') ?? '', page)
      isDropped = file !== undefined && repository === undefined
      if (file !== undefined) token.attrSet('href', `${repository}/blob/main/${file}`)
    }
    if (!isDropped || (token.type !== 'link_open' && token.type !== 'link_close')) kept.push(token)
  }
  return kept
}

/** Undefined for links to pages and other sites. A file that is missing is left to the check for dead links. */
function fileOfRepository(href: string, page: string): string | undefined {
  if (/^(?:[a-z]+:|[/#])/i.test(href)) return undefined
  const path = join(dirname(page), decodeURI(href.replace(/[?#].*/, '')))
  if (!existsSync(path)) return undefined
  const file = relative(root, path)
  const isPage = file.startsWith('docs/') && (file.endsWith('.md') || statSync(path).isDirectory())
  return isPage ? undefined : file
}

function readRepository(): string | undefined {
  const { repository: named } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly repository?: string | { readonly url: string }
  }
  const url = typeof named === 'object' ? named.url : named
  return url?.replace(/^git\+/, '').replace(/\.git$/, '')
}
