// Finds the automation that a command names, and the path of its resource.

import type { Command } from 'commander'
import type { ShownAutomation } from '../../http/resources/automations/schemas.ts'
import { Failure } from '../../lib/failure.ts'
import { plainText } from '../../lib/plain-text.ts'
import type { Api } from '../api/api.ts'
import { type ProjectOption, withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'

export type AutomationOptions = ProjectOption & { readonly json?: true }
/** Adds a command with the options of all of them. */
export type AddCommand = (usage: string, about: string) => Command

/** With the path of the automation, which is named by its id or by its name. */
export function withAutomation<T>(
  context: CommandContext,
  options: AutomationOptions & { readonly needsService?: true },
  wanted: string,
  work: (api: Api, path: string) => Promise<T>,
): Promise<T> {
  const find = async (api: Api, projectId: string) => work(api, pathOf(projectId, await findId(api, projectId, wanted)))
  return withProject(context, options, find, options.needsService)
}

async function findId(api: Api, projectId: string, wanted: string): Promise<string> {
  if (/^aut_[a-z0-9]{20}$/.test(wanted)) return wanted
  const { automations } = JSON.parse((await api.send('GET', pathOf(projectId))).body) as {
    readonly automations: readonly ShownAutomation[]
  }
  const found = automations.find(({ name }) => name === wanted)
  if (found) return found.id
  const known = automations.map(({ id, name }) => `\n  ${id}  ${plainText(name)}`).join('')
  const has =
    known === '' ? 'It has no automation yet: docent automation create --help' : `Its automations are:${known}`
  throw new Failure('not_found', `The project has no automation ${plainText(wanted)}. ${has}`)
}

export function pathOf(projectId: string, id?: string, resource = 'automations'): string {
  const path = `/v1/projects/${encodeURIComponent(projectId)}/${resource}`
  return id === undefined ? path : `${path}/${id}`
}
