// The files of a change by kind, in words: `Pages: 2 changed, 1 moved`. Pages are Markdown. Pure.

import { isPage } from '../diff/file-type.ts'
import type { ChangedFile } from '../diff/lines/rows.ts'

const verbs: readonly (readonly [ChangedFile['status'], string])[] = [
  ['modified', 'changed'],
  ['added', 'added'],
  ['deleted', 'deleted'],
  ['renamed', 'moved'],
]

/** `Pages: 2 changed, 1 moved. Other files: 1 deleted.` */
export function filesByKind(files: readonly Pick<ChangedFile, 'path' | 'status'>[]): string {
  const kinds = [
    ['Pages', files.filter(({ path }) => isPage(path))],
    ['Other files', files.filter(({ path }) => !isPage(path))],
  ] as const
  return kinds
    .filter(([, some]) => some.length > 0)
    .map(([name, some]) => `${name}: ${countsOf(some)}.`)
    .join(' ')
}

function countsOf(files: readonly Pick<ChangedFile, 'status'>[]): string {
  return verbs
    .map(([status, verb]) => [files.filter((file) => file.status === status).length, verb] as const)
    .filter(([number]) => number > 0)
    .map(([number, verb]) => `${number.toLocaleString('en')} ${verb}`)
    .join(', ')
}
