// Turns the findings of schemas into problems: a message that completes "`name` …" and a pointer to the field.
// Neither ever repeats the input.

import type { z } from '@hono/zod-openapi'
import { Failure, type FailureDetail, invalidFields } from '../../lib/failure.ts'

const maxDetails = 20

/** A malformed id in a path is treated like the id of something that does not exist. */
const notFoundMessages: Readonly<Record<string, string>> = {
  projectId: 'There is no such project.',
  id: 'There is no such job in this project.',
  number: 'There is no such pull request in this project.',
  keyId: 'There is no such key.',
  importId: 'There is no such import in this project.',
  siteId: 'There is no such site in this project.',
  personId: 'There is no such person.',
  sessionId: 'There is no such session.',
  invitationId: 'There is no such invitation.',
  automationId: 'There is no such automation in this project.',
  shareId: 'There is no such shared link.',
  segmentId: 'There is no such segment in this project.',
  token: 'This invitation was used or withdrawn, or has expired. Ask for a new one.',
}

type Finding = { readonly target: string } & (
  | { readonly success: true }
  | { readonly success: false; readonly error: z.ZodError }
)

/** The hook of every validated route. */
export function refuseInvalid(finding: Finding): void {
  if (finding.success) return
  if (finding.target === 'param') {
    throw new Failure('not_found', notFoundMessages[String(finding.error.issues[0]?.path[0])] ?? 'Not found.')
  }
  throw invalidFinding(finding.target, finding.error)
}

/** Turns the findings of a schema into one problem, with a detail for each field. */
export function invalidFinding(target: string, error: z.ZodError): Failure {
  return invalidFields(error.issues.slice(0, maxDetails).map((issue) => toDetail(issue, target)))
}

function toDetail(issue: z.core.$ZodIssue, target: string): FailureDetail {
  const place = target === 'json' ? [] : [target]
  const steps = [...place, ...issue.path.map(String)].map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
  return { message: messageOf(issue), pointer: ['#', ...steps].join('/') }
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') {
    return issue.message.endsWith('received undefined') ? 'is missing' : `must be of type ${issue.expected}`
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`
  if (issue.code === 'too_big') {
    const isNumber = issue.origin === 'number' || issue.origin === 'int'
    return `must ${isNumber ? 'be' : 'have'} at most ${issue.maximum}`
  }
  return issue.message.startsWith('Invalid') ? 'is invalid' : issue.message
}
