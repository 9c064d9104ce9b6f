// Whether a branch on GitHub still has a head. https://docs.github.com/en/rest/git/refs#get-a-reference,
// https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate

import { z } from 'zod'
import { createHostHeads } from '../../heads/confirm.ts'
import type { HostHeads } from '../../heads/heads.ts'
import { branchName, encodePath, oid } from '../../reply/shapes.ts'
import type { GitHub } from '../github.ts'

const refSchema = z.object({ object: z.object({ sha: oid }) }).transform(({ object }) => object.sha)
/** Its ETag changes with the number of stars, too, so some responses count although the name is the same. */
const repositorySchema = z.object({ default_branch: branchName }).transform((row) => row.default_branch)

/** GitHub allows an account 5,000 requests an hour. */
const quota = 1_000

export function createGitHubHeads({ client, path, asked }: GitHub): HostHeads {
  return createHostHeads({ client, asked: asked.read, quota }, ({ branch, commit, isDefault }) => [
    ...(isDefault ? [{ name: 'default', path, schema: repositorySchema, expected: branch }] : []),
    { name: 'head', path: `${path}/git/ref/heads/${encodePath(branch)}`, schema: refSchema, expected: commit },
  ])
}
