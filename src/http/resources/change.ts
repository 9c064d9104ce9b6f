// The operations on a change, which a job and a pull request have alike: its diff, and its files before and after.

import type { z } from '@hono/zod-openapi'
import { operationsOn } from '../contract/operation.ts'
import { readsRepository } from '../contract/responses.ts'
import { jsonDiff, textDiff } from './diffs.ts'
import { bytesQuery, fileBytes, fileHtml, fileQuery } from './files.ts'

type Changed<Params extends z.ZodObject> = {
  readonly tag: string
  /** The address of the job or the pull request, with `params`. */
  readonly path: string
  readonly params: Params
  /** In the ids of the operations. */
  readonly id: string
  readonly a: 'a job' | 'a pull request'
  /** What is compared. */
  readonly about: string
  readonly change: string
}

export function describeChange<Params extends z.ZodObject>(changed: Changed<Params>) {
  const { tag, path, params, id, a, about, change } = changed
  const operations = operationsOn(tag)
  return {
    diff: operations.get('read', `${path}/diff`, {
      operationId: `get${id}Diff`,
      summary: `Get the diff of ${a}`,
      description: `${about} For the change file by file, use \`/diff.json\`.`,
      request: { params },
      responses: { 200: textDiff },
      codes: readsRepository,
    }),
    diffFiles: operations.get('read', `${path}/diff.json`, {
      operationId: `get${id}DiffFiles`,
      summary: `Get the diff of ${a} by file`,
      description: about,
      request: { params },
      responses: { 200: jsonDiff },
      codes: readsRepository,
    }),
    file: operations.get('read', `${path}/files`, {
      operationId: `get${id}File`,
      summary: `Get a file of ${a}`,
      description: `Returns a file before or after ${change}. For a preview of a page, use \`/files.html\`.`,
      request: { params, query: bytesQuery },
      responses: { 200: fileBytes },
      codes: readsRepository,
    }),
    preview: operations.get('read', `${path}/files.html`, {
      operationId: `preview${id}File`,
      summary: `Preview a page of ${a}`,
      description: `Returns a page or an image before or after ${change}, as HTML that executes nothing.`,
      request: { params, query: fileQuery },
      responses: { 200: fileHtml },
      codes: readsRepository,
    }),
  }
}
