// A changed file before and after: a new one has no before, a deleted one no after, a renamed one had another name.

import { Preview, type PreviewQuery } from './preview.tsx'

type File = {
  readonly path: string
  readonly previousPath: string | null
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
}

type Props = {
  readonly file: File
  readonly queryOf: (file: { readonly path: string; readonly at: 'base' | 'head' }) => PreviewQuery
}

export function FilePreview({ file: { path, previousPath, status }, queryOf }: Props) {
  return (
    <Preview
      path={path}
      base={status === 'added' ? undefined : queryOf({ path: previousPath ?? path, at: 'base' })}
      head={status === 'deleted' ? undefined : queryOf({ path, at: 'head' })}
    />
  )
}
