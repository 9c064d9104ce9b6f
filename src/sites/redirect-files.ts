// Reads the redirects that a site leaves to its host: `_redirects`, `vercel.json` and `netlify.toml`.

import { posix } from 'node:path'
import type { Redirect, Site, SiteFiles } from './site.ts'

export async function readRedirectFiles(site: Site, files: SiteFiles): Promise<Redirect[]> {
  const folders = [...new Set([site.root, ...site.assets])]
  const lists = await Promise.all(folders.flatMap((folder) => readFolder(folder, files)))
  return lists.flat()
}

function readFolder(folder: string, files: SiteFiles): Promise<Redirect[]>[] {
  const read = async (name: string, toRedirects: (file: string, text: string) => Redirect[]) => {
    const file = posix.join(folder, name)
    const text = files.has(file) ? await files.text(file) : undefined
    return text === undefined ? [] : toRedirects(file, text)
  }
  return [
    read('_redirects', readLines),
    readVercel(posix.join(folder, 'vercel.json'), files),
    read('netlify.toml', readNetlify),
  ]
}

/** `/old /new 301`. Netlify serves an existing page before such a redirect, unless the status ends in `!`. */
function readLines(file: string, text: string): Redirect[] {
  return text.split('\n').flatMap((line, index) => {
    const [source = '', target = ''] = line.trim().split(/\s+/)
    return source.startsWith('/') && target !== '' ? [{ file, line: index + 1, source }] : []
  })
}

async function readVercel(file: string, files: SiteFiles): Promise<Redirect[]> {
  const { strings } = await files.config(file)
  const sources = strings.filter(({ keys }) => keys[0] === 'redirects' && keys.at(-1) === 'source')
  return sources.map(({ line, value }) => ({ file, line, source: value }))
}

function readNetlify(file: string, text: string): Redirect[] {
  return text.split('\n').flatMap((line, index) => {
    const source = /^\s*from\s*=\s*["'](\/[^"']*)["']/.exec(line)?.[1]
    return source === undefined ? [] : [{ file, line: index + 1, source }]
  })
}
