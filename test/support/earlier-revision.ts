// The code of an earlier revision from the history of this repository, which runs with the packages that are installed now.

import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** Whether the history has the revision: a shallow clone may lack it. */
export function hasRevision(revision: string): Promise<boolean> {
  return run('git', ['-C', root, 'cat-file', '-e', `${revision}^{commit}`]).then(
    () => true,
    () => false,
  )
}

/** Writes the code of the service to `folder`, which exists. Returns its entry point. */
export async function unpackRevision(revision: string, folder: string): Promise<string> {
  const archive = join(folder, 'code.tar')
  const paths = ['package.json', 'src', 'tracker', 'docs', 'examples']
  await run('git', ['-C', root, 'archive', '--output', archive, revision, ...paths])
  await run('tar', ['--extract', '--file', archive, '--directory', folder])
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'src/main.ts')
}
