// The merge of a job's pull request by the service, as the job stores it and as it is sent. Pure.

import { z } from 'zod'
import { shorten } from '../../lib/plain-text.ts'
import type { JobRow } from '../../postgres/schema.ts'
import { type Obstacle, obstacleCodes } from './obstacles.ts'

const storedSchema = z.object({
  commit: z.string(),
  askedAt: z.string().nullable(),
  obstacles: z.array(z.object({ code: z.enum(obstacleCodes), message: z.string() })).readonly(),
})
export type StoredMerging = z.infer<typeof storedSchema>

export const mergingStates = ['waiting', 'asked', 'merged'] as const

/** `waiting`: for what `obstacles` say. `asked`: the forge was asked, and has not shown the merge yet. */
export type MergingResponse = {
  readonly state: (typeof mergingStates)[number]
  /** The one commit that is merged. */
  readonly commit: string
  /** When the forge was last asked; null: never. */
  readonly askedAt: string | null
  readonly obstacles: readonly Obstacle[]
}

const mostCharacters = 500

export function storeMerging({ commit, askedAt, obstacles }: StoredMerging): string {
  const short = obstacles.map(({ code, message }) => ({ code, message: shorten(message, mostCharacters) }))
  return JSON.stringify({ commit, askedAt, obstacles: short } satisfies StoredMerging)
}

/** Null: people merge it, or nothing is known about its present commit. */
export function toMerging(row: JobRow): MergingResponse | null {
  if (row.merging === null || row.status === 'active' || row.pull_state === 'closed') return null
  const stored = storedSchema.safeParse(JSON.parse(row.merging))
  if (!stored.success || stored.data.commit !== row.head_commit) return null
  const { askedAt, obstacles } = stored.data
  if (row.pull_state === 'merged') return askedAt === null ? null : { ...stored.data, state: 'merged', obstacles: [] }
  return { ...stored.data, state: obstacles.length === 0 ? 'asked' : 'waiting' }
}
