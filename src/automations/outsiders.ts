// Which automations give words of outsiders to their jobs. Such words may try to instruct the agent, so a person reviews each
// change that came of them: these automations do not merge by themselves.

import { type Failure, invalidFields } from '../lib/failure.ts'
import { inlineCode } from '../lib/plain-text.ts'
import type { AutomationRow } from '../postgres/schema/automations.ts'
import type { Trx } from '../postgres/types.ts'
import { kindOf, triggerOf } from './automation.ts'
import { kindReadsOutsiders } from './ready/options.ts'

type Row = Pick<AutomationRow, 'kind' | 'options' | 'project_id' | 'sources' | 'trigger' | 'update_mode'>

/** Throws `invalid_input` if it merges, and nobody would read what outsiders may have brought into a change. */
export async function refuseMerging(trx: Trx, row: Row): Promise<void> {
  if (row.update_mode !== 'merge') return
  const { kind, options } = kindOf(row)
  if (triggerOf(row).type === 'event') throw cannotMerge('the payloads of events')
  if (kindReadsOutsiders(kind, options)) throw cannotMerge('page views')
  const [source] = await readSources(trx, row)
  if (source === undefined) return
  throw cannotMerge(`the source @${source}`, '; or leave it out of `sources` and of the trigger')
}

function cannotMerge(read: string, instead = ''): Failure {
  const message = `cannot be \`merge\`: the automation reads ${read}, which outsiders write, so a person has to look at each change${instead}`
  return invalidFields([{ pointer: '#/update', message }])
}

/** The names of the sources to which outsiders commit and that its jobs read, by name. */
async function readSources(trx: Trx, row: Pick<Row, 'project_id' | 'sources' | 'trigger'>): Promise<readonly string[]> {
  const query = trx.selectFrom('sources').select('name').where('project_id', '=', row.project_id)
  const found = (await query.where('outsiders_commit', '=', true).orderBy('name').execute()).map(({ name }) => name)
  const trigger = triggerOf(row)
  if (row.sources === null) return found
  const read = new Set(JSON.parse(row.sources) as readonly string[])
  return found.filter((name) => read.has(name) || (trigger.type === 'code' && trigger.source === name))
}

/**
 * Throws `invalid_input` if an automation merges what it reads of a source to which outsiders commit, as the sources of the project are now. The
 * caller holds the lock of the project.
 */
export async function refuseMergingReaders(trx: Trx, projectId: string): Promise<void> {
  const query = trx.selectFrom('automations').selectAll().where('project_id', '=', projectId)
  for (const row of await query.where('update_mode', '=', 'merge').orderBy('name').execute()) {
    const sources = await readSources(trx, row)
    if (sources.length === 0) continue
    const message = `cannot be true: the automation ${inlineCode(row.name, 100)} reads the source and merges by itself. Let people merge its changes (\`update\`), or leave the source out of its \`sources\` and its trigger`
    throw invalidFields([{ pointer: '#/outsidersCommit', message }])
  }
}
