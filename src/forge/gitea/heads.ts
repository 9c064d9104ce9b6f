// Whether a branch on Gitea or Forgejo still has a head. Both send no ETags, so each response is whole.
// https://docs.gitea.com/api/#tag/repository/operation/repoGetBranch

import { z } from 'zod'
import { createHostHeads } from '../heads/confirm.ts'
import type { HostHeads } from '../heads/heads.ts'
import { branchName, encodePath, oid } from '../reply/shapes.ts'
import type { Gitea } from './gitea.ts'

const branchSchema = z.object({ commit: z.object({ id: oid }) }).transform(({ commit }) => commit.id)
const repositorySchema = z.object({ default_branch: branchName }).transform((row) => row.default_branch)

export function createGiteaHeads({ client, path, asked }: Gitea): HostHeads {
  return createHostHeads({ client, asked: asked.read, quota: null }, ({ branch, commit, isDefault }) => [
    ...(isDefault ? [{ name: 'default', path, schema: repositorySchema, expected: branch }] : []),
    { name: 'head', path: `${path}/branches/${encodePath(branch)}`, schema: branchSchema, expected: commit },
  ])
}
