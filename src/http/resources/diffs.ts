// A change, as jobs and pull requests show it: a unified diff at `…/diff`, by file at `…/diff.json`.

import { count, string } from '../contract/fields.ts'
import { z } from '@hono/zod-openapi'
import type { PullPage } from '../../forge/own/response.ts'
import { diffFilesOf, diffOf, type FindRange } from '../../jobs/diff.ts'
import type { AppContext } from '../context.ts'
import { json, textBody } from '../contract/responses.ts'
import { namedEnum, schemaOf } from '../contract/schema-of.ts'
import { preferredType } from '../request/negotiation.ts'

type FileDiff = PullPage['files'][number]

const patch =
  'diff --git a/guides/install.md b/guides/install.md\n--- a/guides/install.md\n+++ b/guides/install.md\n@@ -3 +3 @@\n-Install Acme CLI first.\n+Install Acme Command first.\n'

const fileDiffSchema = schemaOf<FileDiff>()(
  z
    .object({
      path: z.string(),
      previousPath: string('The path before a rename; otherwise null.').nullable(),
      status: namedEnum('FileStatus', ['added', 'modified', 'deleted', 'renamed']),
      binary: z.boolean(),
      additions: count('Lines added.'),
      deletions: count('Lines deleted.'),
      patch: string(
        'The unified diff of this file with its header lines. Empty if the file is binary or the diff is too large.',
      ),
    })
    .openapi('FileDiff'),
)

const exampleFile: FileDiff = {
  path: 'guides/install.md',
  previousPath: null,
  status: 'modified',
  binary: false,
  additions: 1,
  deletions: 1,
  patch,
}

const filesSchema = z
  .object({ files: z.array(fileDiffSchema).readonly() })
  .openapi('Diff', { example: { files: [exampleFile] } })

export const textDiff = textBody('text/x-diff', 'The unified diff; empty if nothing is changed.', { example: patch })
export const jsonDiff = json('The change, file by file.', filesSchema)

/** Also serves JSON on the first path when `Accept` prefers it; the document declares `/diff.json` for that. */
export async function respondDiff(c: AppContext, find: FindRange) {
  c.header('Vary', 'Accept')
  const type = preferredType(c.req.header('Accept'), ['text/x-diff', 'application/json'])
  if (type === 'application/json') return respondFiles(c, find)
  return c.body(await diffOf(find), 200, { 'Content-Type': 'text/x-diff; charset=utf-8' })
}

export async function respondFiles(c: AppContext, find: FindRange) {
  return c.json({ files: await diffFilesOf(find) }, 200)
}
