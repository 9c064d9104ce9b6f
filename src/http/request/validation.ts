// What is wrong with a request, from the schemas' findings: a message that completes "`name` …" and a pointer.
// Neither ever repeats what was sent.

import type { z } from '@hono/zod-openapi'
import { Failure, type FailureDetail } from '../../lib/failure.ts'

const maxDetails = 20

/** A path that cannot name anything is the same as one that names nothing. */
const notFoundMessages: Readonly<Record<string, string>> = {
  projectId: 'There is no such project.',
  id: 'There is no such job in this project.',
  number: 'There is no such pull request in this project.',
  keyId: 'There is no such key.',
  importId: 'There is no such import in this project.',
  siteId: 'There is no such site in this project.',
}

type Finding = { readonly target: string } & (
  | { readonly success: true }
  | { readonly success: false; readonly error: z.ZodError }
)

/** The hook of every validated route. */
export function refuseInvalid(finding: Finding): void {
  if (finding.success) return
  const issues = finding.error.issues.slice(0, maxDetails)
  if (finding.target === 'param')
    throw new Failure('not_found', notFoundMessages[String(issues[0]?.path[0])] ?? 'Not found.')
  const details = issues.map((issue) => toDetail(issue, finding.target))
  const message = details.map((detail) => `${nameOf(detail.pointer)} ${detail.message}.`).join(' ')
  throw new Failure('invalid_input', message, { details })
}

/** One finding of our own, in the same form. */
export function invalidInput(pointer: string, message: string): Failure {
  return new Failure('invalid_input', `${nameOf(pointer)} ${message}.`, { details: [{ message, pointer }] })
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
  if (issue.code === 'unrecognized_keys') return 'has a name that is not known'
  return issue.message.startsWith('Invalid') ? 'is invalid' : issue.message
}

function nameOf(pointer: string): string {
  return pointer === '#' ? 'The body' : `\`${pointer.replace(/^#\/(?:(?:query|header)\/)?/, '').replaceAll('/', '.')}\``
}
