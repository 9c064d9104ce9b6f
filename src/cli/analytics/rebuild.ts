// `docent analytics rebuild`: counts unique visitors again from the page views, one window after the other, and says where
// the stored counters were wrong.

import type { Command } from 'commander'
import type { RebuildResult } from '../../analytics/uniques/rebuild.ts'
import type { Api } from '../api/api.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure } from '../exit.ts'
import { addProjectOption } from '../project-option.ts'
import { createScreen } from '../screen.ts'

type Options = { readonly project?: string; readonly json?: true }
type Window = { readonly name: string; readonly pageViews: number }
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
  const { output, stop } = context
  const screen = options.json ? undefined : createScreen(output)
  const path = `/v1/analytics/${options.project}/visitor-windows`
  const list = JSON.parse((await api.send('GET', path)).body) as { readonly visitorWindows: readonly Window[] }
  const windows = list.visitorWindows
  const all = windows.reduce((sum, { pageViews }) => sum + pageViews, 0)
  const counts: Counts = { equal: 0, different: 0, new: 0, moving: 0 }
  let done = 0
  for (const [at, { name, pageViews }] of windows.entries()) {
    if (stop.aborted) throw new CommandFailure('stopped', 'unavailable', 'Stopped. Windows counted so far are stored.')
    const title = name === '' ? 'without a window' : name
    const percent = Math.floor((done / all) * 100)
    screen?.live([{ style: 'gray', text: `${percent} %, ${title}: window ${at + 1} of ${windows.length}` }])
    const { result } = JSON.parse((await api.send('POST', `${path}/rebuild`, { name })).body) as {
      readonly result: RebuildResult
    }
    screen?.clear()
    counts[result] += 1
    done += pageViews
    if (!options.json) output.print(`${title}  ${pageViews.toLocaleString('en')} page views: ${words[result]}`)
  }
  if (options.json) output.print(JSON.stringify({ windows: windows.length, ...counts }))
  else output.print(summarise(windows.length, counts))
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
