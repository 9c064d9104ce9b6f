// `docent project fork`: where the branches of jobs are, if the credential may not push to the repository itself.

import type { Command } from 'commander'
import { Failure } from '../../lib/failure.ts'
import type { Project } from '../../projects/projects.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'

type Options = { readonly repository?: string; readonly leave?: true; readonly json?: true }

export function defineFork(fork: Command, context: CommandContext): void {
  fork
    .description('make a fork, or leave it: jobs push there if the credential may not push to the repository')
    .option('--repository <address>', 'a fork that exists already; default: the one of the account of the credential')
    .option('--leave', 'push to the repository itself again; the fork stays where it is')
    .option('--json', 'print one JSON object')
    .action(async (project: string, { repository, leave, json }: Options) => {
      if (leave && repository !== undefined) {
        throw new Failure('invalid_input', 'Give --repository or --leave, not both.')
      }
      const found = await withProject(context, { project }, async (api, id) => {
        const path = `/v1/projects/${encodeURIComponent(id)}/fork`
        if (!leave) return JSON.parse((await api.send('POST', path, { repository })).body) as Project
        await api.send('DELETE', path)
        return JSON.parse((await api.send('GET', `/v1/projects/${encodeURIComponent(id)}`)).body) as Project
      })
      const words = found.fork === null ? 'Jobs push to the repository itself.' : `Jobs push to ${found.fork}.`
      context.output.print(json ? JSON.stringify(found) : words)
    })
}
