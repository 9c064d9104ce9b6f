// Says which findings the settings of a project expect: the pull request lists them, and is no draft for them. Pure.

import { createGlobMatcher, toGlobs } from '../../../docs-syntax/glob.ts'
import type { PathPolicy } from '../../../projects/settings.ts'
import type { Finding } from '../verdict.ts'

/** Never true for a finding that refuses a change, nor for deleted pages. */
export function createIsExpected({ paths, components, keys }: PathPolicy['expected']): (finding: Finding) => boolean {
  const matches = paths.length === 0 ? () => false : createGlobMatcher(paths.flatMap(toGlobs))
  const known = new Set(components)
  return ({ kind, path, key, component }) => {
    switch (kind) {
      case 'code':
      case 'page':
      case 'file':
      case 'redirect':
      case 'include':
        return (
          matches(path) ||
          (component !== undefined && known.has(component)) ||
          (key !== undefined && keys.some((one) => isBelow(`${path}:${key}`, one)))
        )
      case 'deletion':
      case 'attempt':
      case 'never':
      case 'protected':
      case 'denied':
      case 'secret':
      case 'content':
      default:
        return false
    }
  }
}

/** Whether a key of a file is the expected one, or below it: `mkdocs.yml:plugins.macros` is below `mkdocs.yml:plugins`. */
function isBelow(key: string, expected: string): boolean {
  return key === expected || key.startsWith(`${expected}.`)
}
