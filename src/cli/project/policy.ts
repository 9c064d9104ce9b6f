// `docent project policy`: says which paths jobs of a project may change, and by which rule.

import type { Command } from 'commander'
import type { PathVerdict } from '../../jobs/policy/judge-path.ts'
import { plainText } from '../../lib/plain-text.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { printTable } from '../output.ts'
import { addProjectOption } from '../project-option.ts'

type Options = { readonly project?: string; readonly json?: true }

export function definePolicy(policy: Command, context: CommandContext): void {
  addProjectOption(policy)
    .option('--json', 'print a JSON array')
    .action(async (paths: readonly string[], options: Options) => {
      const { body } = await withProject(context, options, (api, id) =>
        api.send('POST', `/v1/projects/${encodeURIComponent(id)}/policy/test`, { paths }),
      )
      const { paths: verdicts } = JSON.parse(body) as { readonly paths: readonly PathVerdict[] }
      const rows = verdicts.map(({ path, result, message }) => [plainText(path), result, plainText(message)])
      if (options.json) context.output.print(JSON.stringify(verdicts))
      else printTable(context.output, ['PATH', 'RESULT', 'RULE'], rows)
    })
}
