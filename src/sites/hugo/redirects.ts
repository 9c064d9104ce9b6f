// The redirects that templates of a Hugo site write into `_redirects`, as far as their lines are text: a part that a template
// computes may be anything.

import { posix } from 'node:path'
import { inside } from '../../docs-syntax/links.ts'
import type { Redirect, SiteFiles } from '../site.ts'
import type { HugoSettings } from './settings.ts'

const maxFiles = 20
const line = /^\s*(\/\S*)\s+(\S+)(?:\s+(\d{3}))?/

export async function readTemplateRedirects(
  { parts, writesRedirects }: Pick<HugoSettings, 'parts' | 'writesRedirects'>,
  files: SiteFiles,
): Promise<Redirect[]> {
  if (!writesRedirects) return []
  const folders = parts.map((part) => posix.join(part, 'layouts'))
  const templates = files.paths.filter(
    (path) => /redir/.test(path) && folders.some((folder) => inside(folder, path) !== undefined),
  )
  const read = templates.slice(0, maxFiles).map(async (file) => {
    const lines = ((await files.text(file)) ?? '').split('\n')
    return lines.flatMap((text, at): Redirect[] => {
      const [, source, destination = '', status] = line.exec(text.replace(/\{\{[^{}]*\}\}/g, ':part')) ?? []
      // A part that is computed near the root could be anything.
      if (source === undefined || /^\/[:*]|^\/[^/]+\/[^/]*:part|:part.*\*/.test(source)) return []
      return [{ file, line: at + 1, source, destination, ...(status === undefined ? {} : { status: Number(status) }) }]
    })
  })
  return (await Promise.all(read)).flat()
}
