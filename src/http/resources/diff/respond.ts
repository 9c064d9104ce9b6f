// A change as the caller likes it: a unified diff, or by file.

import type { PullPage } from '../../../forge/own/response.ts'
import type { AppContext } from '../../context.ts'
import { preferredType } from '../../request/negotiation.ts'

type Change = {
  readonly text: () => Promise<string>
  readonly files: () => Promise<PullPage['files']>
}

export async function diffResponse(c: AppContext, change: Change) {
  c.header('Vary', 'Accept')
  const type = preferredType(c.req.header('Accept'), ['text/x-diff', 'application/json'])
  if (type === 'application/json') return c.json({ files: await change.files() }, 200)
  return c.body(await change.text(), 200, { 'Content-Type': 'text/x-diff; charset=utf-8' })
}
