// A description on Azure DevOps has at most 4,000 characters, so the facts are in a comment. The markers of the facts stay in the
// description, around their last paragraph, which names the job and its cost. Pure.

import { hideMarkers, jobMarker, jobOf, normalise, splitFacts } from '../body.ts'

export type Parts = {
  readonly description: string
  /** Undefined: the body has no facts. */
  readonly comment: string | undefined
}

/** The most that the description shows of the facts. */
export const mostShown = 700
const pointer = 'Docent states more in a comment below.'

/** `body`: with all facts. */
export function toParts(body: string): Parts {
  const facts = splitFacts(body)
  const jobId = jobOf(body)
  if (!facts || jobId === undefined) return { description: body, comment: undefined }
  const last = facts.content.split('\n\n').at(-1) ?? ''
  // A cut could open a mention that was code.
  const shown = last.length + pointer.length + 2 > mostShown ? pointer : `${pointer}\n\n${last}`
  const comment = `${jobMarker(jobId)}\n${facts.content}`
  return { description: `${facts.before}\n${shown}\n${facts.after}`, comment: normalise(comment) }
}

/** The body with all facts. `comment` undefined: it does not exist, so the facts are empty and will be written. */
export function fromParts(description: string, comment: string | undefined): string {
  const facts = splitFacts(description)
  if (!facts) return description
  const content = hideMarkers(comment?.slice(comment.indexOf('\n') + 1) ?? '')
  return `${facts.before}\n${content}\n${facts.after}`
}

/** Does it look like the comment with the facts of a pull request? */
export function isFacts(comment: string): boolean {
  const jobId = jobOf(comment)
  return jobId !== undefined && comment.startsWith(`${jobMarker(jobId)}\n`)
}

/** Is this the comment with the facts of the pull request that has this description? */
export function isFactsOf(description: string, comment: string): boolean {
  const jobId = jobOf(description)
  return jobId !== undefined && comment.startsWith(`${jobMarker(jobId)}\n`)
}
