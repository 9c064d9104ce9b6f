// `docent analytics rebuild`: counts unique visitors again from the page views, one window after the other, and says where
// the stored counters were wrong.

import type { Command } from 'commander'
import type { RebuildResult } from '../../analytics/counts/uniques/rebuild.ts'
import type { Api } from '../api/api.ts'
import { readWindows, rebuildWindow } from '../api/visitor-windows.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { addProjectOption } from '../project-option.ts'
import { runSteps } from './steps.ts'

type Options = { readonly project?: string; readonly json?: true }
type Counts = Record<RebuildResult, number>

export function defineRebuild(command: Command, context: CommandContext): void {
  addProjectOption(command)
    .option('--json', 'print one JSON object')
    .action((options: Options) =>
      withProject(context, options, (api, project) => rebuildAll(context, api, { ...options, project })),
    )
}

async function rebuildAll(
  context: CommandContext,
  api: Api,
  options: Options & { readonly project: string },
): Promise<void> {
  const windows = await readWindows(api, options.project)
  const all = windows.reduce((sum, { pageViews }) => sum + pageViews, 0)
  const counts: Counts = { equal: 0, different: 0, new: 0, moving: 0 }
  let before = 0
  const steps = windows.map(({ name, pageViews }, at) => {
    const title = name === '' ? 'without a window' : name
    const percent = Math.floor((before / all) * 100)
    before += pageViews
    return {
      title: `${percent} %, ${title}: window ${at + 1} of ${windows.length}`,
      stopped: 'Stopped. Windows counted so far are stored.',
      run: async () => {
        const result = await rebuildWindow(api, options.project, name)
        counts[result] += 1
        return `${title}  ${pageViews.toLocaleString('en')} page views: ${words[result]}`
      },
    }
  })
  await runSteps(context, steps, options)
  const { output } = context
  output.print(
    options.json ? JSON.stringify({ windows: windows.length, ...counts }) : summarise(windows.length, counts),
  )
}

const words: Readonly<Record<RebuildResult, string>> = {
  equal: 'the stored counters were right',
  different: 'the stored counters were wrong, and are replaced',
  new: 'counted; there were no counters to compare with',
  moving: 'page views arrive; queries count them from memory or from rows',
}

/** `12 windows counted. The stored counters of 2 were wrong.` */
export function summarise(windows: number, { equal, different }: Counts): string {
  if (windows === 0) return 'The project has no page views.'
  const counted = `${windows.toLocaleString('en')} ${windows === 1 ? 'window' : 'windows'} counted.`
  if (different > 0) return `${counted} The stored counters of ${different} were wrong.`
  return equal > 0 ? `${counted} All stored counters were right.` : counted
}
