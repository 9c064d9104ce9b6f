// The automations of the simulation: each trigger that starts by itself, each way of grouping, and caps.

import { createAutomation } from '../../src/automations/automations.ts'
import type { NewAutomation } from '../../src/automations/automation.ts'
import { operator } from '../../src/projects/keys.ts'
import type { History } from './history.ts'
import { createSlots, type Times } from './slots.ts'
import type { World } from './world.ts'

type Wanted = Pick<NewAutomation, 'caps' | 'grouping' | 'trigger'> & {
  readonly name: string
  readonly follows?: History
  readonly at?: Times
}

const code = (source: string | null, when: string, paths: readonly string[] = []) =>
  ({ type: 'code', source, when, paths }) as const
const schedule = (cron: string) => ({ type: 'schedule', cron, timeZone: null }) as const

export async function addAutomations(world: World): Promise<void> {
  const { docs, sources } = world
  const [api, web] = sources
  const wanted: readonly Wanted[] = [
    { name: 'update', trigger: code('api', 'merge'), grouping: 'one', caps: { runsPerDay: 4 }, follows: api },
    { name: 'part', trigger: code('api', 'merge', ['src/a/']), grouping: 'each', follows: api },
    { name: 'weekly', trigger: code('web', '0 6 * * MON,THU'), grouping: 'each', follows: web },
    { name: 'translate', trigger: { type: 'docs', paths: ['docs/en/'] }, grouping: 'one', follows: docs },
    {
      name: 'index',
      trigger: { type: 'docs', paths: [] },
      grouping: 'each',
      caps: { costUsdPerDay: 0.4 },
      follows: docs,
    },
    // In the hour that the change of daylight saving skips and repeats.
    { name: 'links', trigger: schedule('30 2 * * *'), grouping: 'one', at: { hour: 2, minute: 30 } },
    { name: 'changelog', trigger: schedule('0 6 * * 1'), grouping: 'each', at: { hour: 6, minute: 0, weekday: 1 } },
  ]
  for (const one of wanted) await add(world, one)
}

async function add({ context, projectId, truth, clock }: World, { follows, at, ...given }: Wanted): Promise<void> {
  const { row } = await createAutomation(context, operator, projectId, { ...given, instructions: 'Update the docs.' })
  const { name, trigger, grouping, caps } = given
  const slots = at && createSlots(at)
  slots?.begin(clock.now())
  truth.automations.push({
    id: row.id,
    name,
    follows,
    isJudged: trigger?.type === 'code',
    paths: trigger && 'paths' in trigger ? trigger.paths : [],
    grouping: grouping ?? 'each',
    caps: { runsPerDay: caps?.runsPerDay ?? Infinity, costUsdPerDay: caps?.costUsdPerDay ?? Infinity },
    slots,
    isOn: true,
  })
}
