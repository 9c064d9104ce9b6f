// The operations on a change, which a job and a pull request have alike: its diff, and its files before and after.

import type { z } from '@hono/zod-openapi'
import { operationsOn } from '../contract/operation.ts'
import { readsRepository } from '../contract/responses.ts'
import { jsonDiff, textDiff } from './diffs.ts'
import { bytesQuery, fileBytes, fileHtml, fileQuery } from './files.ts'

type Changed<Params extends z.ZodObject> = {
  readonly path: string
  readonly params: Params
  readonly of: keyof typeof words
  /** The first sentences of the description of the diff. */
  readonly about: string
}

const words = {
  Job: { tag: 'Jobs', a: 'a job', change: 'the change of the job' },
  Pull: { tag: 'Pull requests', a: 'a pull request', change: 'the change' },
} as const

export function describeChange<Params extends z.ZodObject>({ path, params, of, about }: Changed<Params>) {
  const { tag, a, change } = words[of]
  const operations = operationsOn(tag)
  return {
    diff: operations.get('read', `${path}/diff`, {
      operationId: `get${of}Diff`,
      summary: `Get the diff of ${a}`,
      description: `${about} For the change file by file, use \`/diff.json\`.`,
      request: { params },
      responses: { 200: textDiff },
      codes: readsRepository,
    }),
    diffFiles: operations.get('read', `${path}/diff.json`, {
      operationId: `get${of}DiffFiles`,
      summary: `Get the diff of ${a} by file`,
      description: about,
      request: { params },
      responses: { 200: jsonDiff },
      codes: readsRepository,
    }),
    file: operations.get('read', `${path}/files`, {
      operationId: `get${of}File`,
      summary: `Get a file of ${a}`,
      description: `Returns a file before or after ${change}. For a preview of a page, use \`/files.html\`.`,
      request: { params, query: bytesQuery },
      responses: { 200: fileBytes },
      codes: readsRepository,
    }),
    preview: operations.get('read', `${path}/files.html`, {
      operationId: `preview${of}File`,
      summary: `Preview a page of ${a}`,
      description: `Returns a page or an image before or after ${change}, as HTML that executes nothing.`,
      request: { params, query: fileQuery },
      responses: { 200: fileHtml },
      codes: readsRepository,
    }),
  }
}
