// Failed checks of the forge and their fate, as the job stores them and as they are sent. Pure.

import { z } from 'zod'
import type { JobRow } from '../../postgres/schema.ts'

export const forgeChecksStates = ['given', 'left'] as const

const schema = z.object({
  state: z.enum(forgeChecksStates),
  commit: z.string(),
  at: z.string(),
  reason: z.string().nullable(),
  failed: z.array(z.object({ name: z.string(), link: z.string().nullable(), hasLog: z.boolean() })).readonly(),
})

/** `given`: the agent got them. `left`: `reason` says why people see to them. */
export type ForgeChecksResponse = z.infer<typeof schema>
export type ShownCheck = ForgeChecksResponse['failed'][number]

export function storeForgeChecks(shown: ForgeChecksResponse): string {
  return JSON.stringify(shown)
}

/** Null: no check of the forge has failed on a commit of the job, as far as the project wants to know. */
export function toForgeChecks({ forge_checks: stored }: JobRow): ForgeChecksResponse | null {
  return stored === null ? null : (schema.safeParse(JSON.parse(stored)).data ?? null)
}
