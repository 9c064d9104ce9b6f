// The operations that take an `Idempotency-Key`: the service acts once for all requests with the same key.

import type { paths } from './types.gen.ts'

type Headers<Path extends keyof paths> = paths[Path] extends { post: { parameters: { header?: infer Names } } }
  ? Names
  : undefined
type IdempotentPath = {
  [Path in keyof paths]: Headers<Path> extends undefined
    ? never
    : 'Idempotency-Key' extends keyof NonNullable<Headers<Path>>
      ? Path
      : never
}[keyof paths]

/** A record, so that the type checker notices a missing operation and one that takes no key. */
const idempotent: Readonly<Record<IdempotentPath, true>> = {
  '/v2/agent/{projectId}/job': true,
  '/v2/agent/{projectId}/job/{id}/message': true,
  '/v1/projects/{projectId}/automations/{automationId}/run': true,
  '/v1/projects/{projectId}/ledger/look': true,
  '/v1/projects/{projectId}/pulls/{number}/comments': true,
  '/v1/workflow/{projectId}/{automationId}/trigger': true,
}

export function takesIdempotencyKey(path: string): boolean {
  return Object.hasOwn(idempotent, path)
}
