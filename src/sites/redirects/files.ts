// Reads the redirects that a site leaves to its host: `_redirects`, `vercel.json` and `netlify.toml`.

import { posix } from 'node:path'
import { lineAt, lineStarts } from '../../docs-syntax/text.ts'
import type { Redirect, Site, SiteFiles } from '../site.ts'
import { readRedirectList } from './lists.ts'

const hostFiles = ['_redirects', 'vercel.json', 'netlify.toml']

/**
 * Where a site may keep the redirects of its host, whether or not the files exist. The only site of a repository may keep
 * them in the root of the repository, too. `sites`: all of the repository.
 */
export function redirectFiles(site: Site, sites: readonly Site[]): string[] {
  if (!site.isHostRouted) return []
  const isOnly = sites.every((one) => one === site || !one.hasGenerator)
  const folders = new Set([...site.assets, site.root, ...(isOnly ? [''] : [])])
  return [...folders].flatMap((folder) => hostFiles.map((name) => posix.join(folder, name)))
}

export async function readRedirectFiles(site: Site, sites: readonly Site[], files: SiteFiles): Promise<Redirect[]> {
  const present = redirectFiles(site, sites).filter((file) => files.has(file))
  const lists = await Promise.all(
    present.map(async (file) => {
      const text = (await files.text(file)) ?? ''
      const list = readRedirectList(file, text)
      const starts = lineStarts(text)
      return list === undefined || typeof list === 'string'
        ? []
        : list.entries.map(({ source, destination, status, isConditional }) => ({
            file,
            line: lineAt(starts, source.start),
            source: source.value,
            destination: destination.value,
            ...(status === undefined ? {} : { status }),
            isConditional,
          }))
    }),
  )
  return lists.flat()
}
