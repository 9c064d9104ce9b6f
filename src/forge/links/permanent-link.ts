// Links to lines of a file at a commit, in the form of each forge. Pure.

import type { ForgeKind } from '../host.ts'

export type LinkedLines = {
  /** The address of the repository, over https. */
  readonly repository: string
  readonly commit: string
  readonly path: string
  readonly lines: { readonly from: number; readonly to: number } | undefined
}

/** Undefined if the repository is not reached over https. */
export function permanentLink(kind: ForgeKind, { repository, commit, path, lines }: LinkedLines): string | undefined {
  if (!/^https?:\/\//.test(repository) || /[\s()<>"]/.test(repository)) return undefined
  const base = repository.replace(/\/+$/, '').replace(/\.git$/, '')
  const file = path.split('/').map(toSegment).join('/')
  const { from, to } = lines ?? { from: 0, to: 0 }
  const range = (separator: string) => (from === to ? `${from}` : `${from}${separator}${to}`)
  switch (kind) {
    case 'github':
      return `${base}/blob/${commit}/${file}${lines ? `#L${range('-L')}` : ''}`
    case 'gitea':
      return `${base}/src/commit/${commit}/${file}${lines ? `#L${range('-L')}` : ''}`
    case 'gitlab':
      return `${base}/-/blob/${commit}/${file}${lines ? `#L${range('-')}` : ''}`
    case 'bitbucket':
      return `${base}/src/${commit}/${file}${lines ? `#lines-${range(':')}` : ''}`
    case 'azure': {
      const place = lines ? `&line=${from}&lineEnd=${to + 1}&lineStartColumn=1&lineEndColumn=1` : ''
      return `${base}?path=/${file}&version=GC${commit}${place}`
    }
    default:
      return undefined
  }
}

/** Parentheses would end a link of Markdown. */
function toSegment(part: string): string {
  return encodeURIComponent(part).replace(/[()'*!]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
