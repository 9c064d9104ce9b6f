// Asks the API of a host whether a branch still has the head that is known. A response 304 costs both sides little, and GitHub does
// not count it.

import type { z } from 'zod'
import type { ForgeClient } from '../client.ts'
import type { Asked } from '../errors.ts'
import { refuseMoved } from '../explain.ts'
import { isStatus, parseReply } from '../parse.ts'
import type { HostHeads, KnownHead } from './heads.ts'

/** One resource of the host, and the value in it that confirms the head. */
export type HeadQuestion = {
  readonly name: string
  readonly path: string
  readonly schema: z.ZodType<string>
  readonly expected: string
}

type Asking = { readonly client: ForgeClient; readonly asked: Asked; readonly quota: number | null }

/** Asks the questions one after another, up to the first one whose answer has another value. */
export function createHostHeads(
  { client, asked, quota }: Asking,
  questionsOf: (known: KnownHead) => readonly HeadQuestion[],
): HostHeads {
  return {
    quota,
    confirm: async (known, tags, signal) => {
      const found: Record<string, string> = {}
      for (const { name, path, schema, expected } of questionsOf(known)) {
        const tag = toTag(tags[name])
        const reply = await client.ask({ method: 'GET', path, etag: tag ?? null }, signal)
        // Without a tag of ours, a 304 says nothing, and is not understood below.
        const isSame = tag !== undefined && isStatus(reply, 304)
        refuseMoved(reply, asked)
        if (!isSame && parseReply(reply, schema, asked) !== expected) return { isStill: false, tags: {} }
        const next = isSame ? tag : toTag(reply.kind === 'response' ? reply.etag : undefined)
        if (next !== undefined) found[name] = next
      }
      return { isStill: true, tags: found }
    },
  }
}

/** https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3. Anything else is not sent back. */
function toTag(tag: string | null | undefined): string | undefined {
  return tag && tag.length <= 300 && /^(?:W\/)?"[\u0021\u0023-\u007e]*"$/.test(tag) ? tag : undefined
}
