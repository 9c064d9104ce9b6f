// The words of Docent's comment about a comment that called it. Pure.

import { type Finish, partOf, textOf } from '../../agent/tool.ts'
import { plainText, shorten } from '../../lib/plain-text.ts'

export type Standing =
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'working' }
  /** `title`: of the code of the failure. Its message is for the people of the project, and a forge may be public. */
  | { readonly kind: 'failed'; readonly title: string }
  /** `isOpen`: the run read nothing that readers of the forge may not read, so words of the model may be shown there. */
  | {
      readonly kind: 'ended'
      readonly finish: Finish | undefined
      readonly commit: string | null
      readonly isOpen: boolean
    }

export type Told = {
  readonly standing: Standing
  /** The page of the job. Undefined: the address of the service is not set. */
  readonly jobLink: string | undefined
  /** That of the pull request, unless the comment is on it. */
  readonly pullLink: string | undefined
  /** The word with which a person answers, such as `@docent`. */
  readonly call: string
}

/** Model and person wrote nothing of it: `own` is the service's. `quoted` must lose its powers first. */
export type Words = { readonly own: string; readonly quoted: string; readonly isLast: boolean }

const mostCharacters = 4_000

export function wordsOf({ standing, jobLink, pullLink, call }: Told): Words {
  const job = jobLink === undefined ? 'job' : `[job](${jobLink})`
  switch (standing.kind) {
    case 'refused':
      return { own: `Not done. ${standing.reason}`, quoted: '', isLast: true }
    case 'working':
      return { own: `Working on it: ${job}.`, quoted: '', isLast: false }
    case 'failed':
      return { own: `This failed, so nothing is changed: ${standing.title}. See the ${job}.`, quoted: '', isLast: true }
    case 'ended':
      return { ...withheld(endOf(standing, { job, pullLink, call }), standing.isOpen), isLast: true }
    default:
      return standing satisfies never
  }
}

function withheld({ own, quoted }: Omit<Words, 'isLast'>, isOpen: boolean): Omit<Words, 'isLast'> {
  return { own, quoted: isOpen ? quoted : '' }
}

type Ended = Extract<Standing, { kind: 'ended' }>
type Links = { readonly job: string; readonly pullLink: string | undefined; readonly call: string }

function endOf({ finish, commit }: Ended, { job, pullLink, call }: Links): Omit<Words, 'isLast'> {
  if (finish === undefined) return { own: `Done: ${job}.`, quoted: '' }
  if (finish.kind === 'question') {
    const own = `Nothing is changed yet: there is a question. Answer it here with \`${call}\`, or in the ${job}.`
    return { own, quoted: shown(textOf(finish)) }
  }
  if (finish.kind === 'no_change') return { own: `No change was necessary: ${job}.`, quoted: shown(textOf(finish)) }
  const where = pullLink ?? (commit === null ? undefined : `commit ${commit.slice(0, 10)}`)
  const part = partOf(finish) === undefined ? 'Done' : 'Done in part'
  const own = where === undefined ? `${part}: ${job}.` : `${part}: ${where}, ${job}.`
  // The reply is for the person alone.
  return { own, quoted: shown(finish.title) }
}

function shown(text: string): string {
  return shorten(plainText(text).trim(), mostCharacters)
}
