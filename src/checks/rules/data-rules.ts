// The rules for data files: they parse, and the `$ref`s of OpenAPI files lead somewhere.

import { posix } from 'node:path'
import type { Finding } from '../finding.ts'
import type { DataFacts } from '../facts/data-facts.ts'
import type { SiteIndex } from './site-index.ts'

const pointerDepth = 3

export function checkData(index: SiteIndex, files: ReadonlyMap<string, DataFacts>): Finding[] {
  return [...files].flatMap(([path, { problem, references }]): Finding[] => {
    if (problem) {
      const { line, message } = problem
      return [{ kind: 'config', path, line, target: message, message: `the file does not parse: ${message}` }]
    }
    return references.flatMap(({ url, line }) => {
      if (leadsSomewhere(index, files, path, url)) return []
      return [{ kind: 'reference', path, line, target: url, message: `refers to ${url}, which does not exist` }]
    })
  })
}

function leadsSomewhere(index: SiteIndex, files: ReadonlyMap<string, DataFacts>, from: string, url: string): boolean {
  if (/^[a-z][\w+.-]*:|^\/\//i.test(url)) return true
  const [name = '', pointer = ''] = url.split('#', 2)
  // One within the file is among the facts only if it leads nowhere.
  if (name === '') return false
  const path = posix.join(posix.dirname(from), name)
  if (path.startsWith('..')) return true
  if (!index.has(path)) return false
  const known = files.get(path)?.pointers ?? []
  const isDeep = pointer.split('/').length - 1 > pointerDepth
  return known.length === 0 || isDeep || pointer === '' || pointer === '/' || known.includes(pointer)
}
