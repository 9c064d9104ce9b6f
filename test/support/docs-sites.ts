// Small documentation sites without a fault, one for each kind of site in its usual layout: a dozen pages, a navigation
// that names all of them, an image, and an OpenAPI file where such a site has one.

import { createHash } from 'node:crypto'
import { siteKinds } from '../../src/sites/kinds.ts'
import type { SiteKind } from '../../src/sites/site.ts'
import { layouts, openApi, pageNames } from './docs-layouts.ts'
import type { SiteTree } from '../../src/sites/tree.ts'

export type SiteFiles = Readonly<Record<string, string>>

export type DocsSite = {
  readonly files: SiteFiles
  /** The file of a page by its name, such as `guides/deploy`. */
  page(name: string): string
  /** The folder whose files are served. */
  readonly assets: string
}

/** The kinds whose pages are Markdown: tests that add a fault in Markdown plant it in these. */
export const markdownKinds = siteKinds.filter((kind) => layouts[kind].extension !== 'adoc') as [SiteKind, ...SiteKind[]]

export function docsSite(kind: SiteKind): DocsSite {
  const { folder, extension, first, assets, config } = layouts[kind]
  const page = (name: string) => `${folder}${name}.${extension}`
  const image = `${assets}images/logo.png`
  const pages = pageNames.map((name, at) => {
    const next = pageNames[at + 1] ?? pageNames[0]
    const up = name.includes('/') ? '../' : './'
    return [
      page(name),
      pageText(name, `${up}${next}.${extension}`, `${up}${fromFolder(folder, assets)}images/logo.png`),
    ]
  })
  const files = {
    ...config,
    [page(first)]:
      pageText('Acme', `./install.${extension}`, `./${fromFolder(folder, assets)}images/logo.png`) +
      (layouts[kind].list ?? ''),
    ...(Object.fromEntries(pages) as Record<string, string>),
    [image]: 'PNG',
    [`${assets}openapi.json`]: openApi,
  }
  return { files, page, assets }
}

/** `change`: a text replaces a file, `null` deletes it. */
export function memoryTree(files: SiteFiles, change: Readonly<Record<string, string | null>> = {}): SiteTree {
  const all = Object.entries({ ...files, ...change }).filter((entry): entry is [string, string] => entry[1] !== null)
  const contents = new Map(all.map(([path, text]) => [path, Buffer.from(text)]))
  const entries = all.map(([path, text]) => {
    return { path, kind: 'file', size: text.length, oid: createHash('sha1').update(text).digest('hex') }
  })
  return {
    entries: () => entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    read: (path) => Promise.resolve(contents.get(path)),
  }
}

function fromFolder(folder: string, assets: string): string {
  if (assets === folder) return ''
  return assets.startsWith(folder)
    ? assets.slice(folder.length)
    : `${'../'.repeat(folder.split('/').length - 1)}${assets}`
}

function pageText(title: string, next: string, image: string): string {
  if (next.endsWith('.adoc')) return asciidocText(title, next)
  return `---
title: ${title}
description: About ${title}.
---

# ${title}

Read [the next page](${next}), and [how to begin](${next}#begin).

## Begin

![The logo](${image})

\`\`\`sh
acme start
\`\`\`
`
}

function asciidocText(title: string, next: string): string {
  return `= ${title}
:description: About ${title}.

Read xref:${next}[the next page], and xref:${next}#begin[how to begin].

[#begin]
== Begin

image::images/logo.png[The logo]

[,sh]
----
acme start
----
`
}
