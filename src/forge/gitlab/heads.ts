// Whether a branch on GitLab still has a head. https://docs.gitlab.com/api/branches/#get-a-branch

import { z } from 'zod'
import { createHostHeads } from '../heads/confirm.ts'
import type { HostHeads } from '../heads/heads.ts'
import { oid } from '../reply/shapes.ts'
import type { GitLab } from './gitlab.ts'

const branchSchema = z.object({ default: z.boolean(), commit: z.object({ id: oid }) })
const ofAny = branchSchema.transform(({ commit }) => commit.id)
const ofDefault = branchSchema.transform((row) => (row.default ? row.commit.id : 'not the default branch'))

export function createGitLabHeads({ client, project, asked }: GitLab): HostHeads {
  return createHostHeads({ client, asked: asked.read, quota: null }, ({ branch, commit, isDefault }) => {
    const path = `${project}/repository/branches/${encodeURIComponent(branch)}`
    return [{ name: 'head', path, schema: isDefault ? ofDefault : ofAny, expected: commit }]
  })
}
