// mdBook: `book.toml`. `SUMMARY.md` in the source folder lists the pages; a page that it does not name is not built.

import { posix } from 'node:path'
import { readToml } from '../../../docs-syntax/toml.ts'
import { decodePercent } from '../../../lib/plain-text.ts'
import { folderOf, withoutExtension } from '../../names.ts'
import { type NavigationEntry, type Redirect, type SiteFiles, type SiteOpener, siteDefaults } from '../../site.ts'
import { mdbookSlugs } from '../../slugs.ts'
import { readList } from './read-list.ts'

export const mdbook: SiteOpener = {
  kind: 'mdbook',
  config: /(?:^|\/)book\.toml$/,
  usual: 'book.toml',
  open: async (config, files) => {
    const text = (await files.text(config)) ?? ''
    const root = folderOf(config)
    const { problem } = await files.config(config)
    const source = sourceOf(text) ?? usualSource(config, root, files)
    const folder = posix.join(root, source).replace(/^\.$/, '')
    const summary = posix.join(folder, 'SUMMARY.md')
    const list = await files.text(summary)
    return {
      ...siteDefaults,
      kind: 'mdbook',
      keepsFileNames: true,
      root,
      config,
      configs: [config, summary],
      problems: problem ? [{ ...problem, file: config }] : [],
      mounts: [{ folder, routes: [''] }],
      isIgnored: (name) => name === 'SUMMARY.md',
      // A README is the first page of its folder; any other page keeps its name.
      nameOf: (path) => withoutExtension(path).replace(/(?:^|\/)(?:README|index)$/i, ''),
      assets: [folder],
      slugs: mdbookSlugs,
      navigation: {
        entries: readSummary(summary, folder, list ?? ''),
        folders: [],
        computed: [],
        lists: list === undefined ? 'some' : 'all',
        list: summary,
      },
      redirects: readRedirects(config, text),
      includes: { style: 'braces', folders: [] },
    }
  },
}

function sourceOf(text: string): string | undefined {
  const { book } = readToml(text).values as { readonly book?: { readonly src?: unknown } }
  return typeof book?.src === 'string' ? book.src : undefined
}

/** A book without a configuration may have its pages beside each other. */
function usualSource(config: string, root: string, files: SiteFiles): string {
  return !files.has(config) && files.has(posix.join(root, 'SUMMARY.md')) ? '.' : 'src'
}

function readSummary(file: string, folder: string, text: string): NavigationEntry[] {
  return readList(file, text, (url) => {
    const path = decodePercent(url.replace(/[?#].*$/, ''))
    return path === '' ? undefined : { paths: [posix.join(folder, path)] }
  })
}

/** `"/old.html" = "new.html"` in the table `output.html.redirect`. */
function readRedirects(file: string, text: string): Redirect[] {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.trim() === '[output.html.redirect]')
  if (start === -1) return []
  const end = lines.findIndex((line, index) => index > start && line.trim().startsWith('['))
  return lines.slice(start + 1, end === -1 ? undefined : end).flatMap((line, index) => {
    const source = /^\s*["'](\/[^"']+)["']\s*=/.exec(line)?.[1]
    return source === undefined ? [] : [{ file, line: start + index + 2, source }]
  })
}
