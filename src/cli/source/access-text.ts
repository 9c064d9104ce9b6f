// Prints whether a source can be read, and runs the check.

import type { SourceAccess } from '../../projects/sources/source-access.ts'
import { type ProjectOption, withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import type { Output } from '../output.ts'
import { printAccess } from '../project/access-text.ts'

export type SourceOptions = ProjectOption & { readonly json?: true }

/** `access` null: it was not checked, or the caller does not see the result. */
export function printSourceAccess(output: Output, access: SourceAccess | null): void {
  if (!access) return
  printAccess(output, { ...access, rights: { read: access.read } })
  if (access.base) output.print(`${access.base.branch} is at ${access.base.commit}`)
  if (access.credential === null) output.print('It has no credential: it is read as anybody may.')
}

export function stateOf(access: SourceAccess | null): string {
  if (!access) return 'not checked'
  if (access.base) return `${access.base.branch} is at ${access.base.commit.slice(0, 12)}`
  return access.read === 'no' ? 'cannot be read' : 'failed'
}

/** Fails if the source cannot be read now. */
export async function checkSource(context: CommandContext, name: string, options: SourceOptions): Promise<void> {
  const { output } = context
  const { body } = await withProject(context, options, (api, id) => api.send('POST', `${pathOf(id, name)}/check`))
  const found = JSON.parse(body) as SourceAccess
  if (options.json) output.print(body)
  else printSourceAccess(output, found)
  if (found.base && found.problem === null) return
  throw new CommandFailure('failed', 'repository_unauthorized', `The source ${name} cannot be read.`)
}

export function pathOf(projectId: string, name?: string): string {
  const path = `/v1/projects/${encodeURIComponent(projectId)}/sources`
  return name === undefined ? path : `${path}/${encodeURIComponent(name)}`
}
