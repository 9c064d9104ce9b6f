// Prints the summary of a job's changes: one line per file, with the number of added and removed lines.

import type { FileDiff } from '../../git/types.ts'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Api } from '../api/api.ts'
import { type Output, paint } from '../output.ts'

const shownFiles = 20

/** Prints nothing if nothing changed. A failure is a warning, so that it does not hide the result of the job. */
export async function printDiffstat(api: Pick<Api, 'send'>, path: string, output: Output): Promise<void> {
  const files = await readFiles(api, path).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error
    output.warn(`The changes cannot be shown: ${error.message}`)
    return []
  })
  for (const file of files.slice(0, shownFiles)) {
    const counts = `${paint(output, 'green', `+${file.additions}`)} ${paint(output, 'red', `-${file.deletions}`)}`
    output.warn(`${file.status.padEnd(9)} ${plainText(file.path).replaceAll(/[\n\t]/g, ' ')}  ${counts}`)
  }
  if (files.length > shownFiles) output.warn(`… and ${files.length - shownFiles} more`)
}

async function readFiles(api: Pick<Api, 'send'>, path: string): Promise<readonly FileDiff[]> {
  const { body } = await api.send('GET', `${path}/diff`, undefined, { Accept: 'application/json' })
  return (JSON.parse(body) as { readonly files: readonly FileDiff[] }).files
}
