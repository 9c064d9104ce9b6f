// The rights of the service on a repository, as the last check found it, and how to get what is missing.

import type { ReactNode } from 'react'
import { type AccessCheck, forgeNames } from '../../../api/connections.ts'
import type { Access } from '../../../api/projects.ts'
import { hostOf, withoutCommand } from './host.ts'

type Rights = Access['rights']
type Right = keyof Rights

const marks = {
  yes: { sign: '✓', words: 'yes', style: 'text-good' },
  no: { sign: '✕', words: 'no', style: 'text-bad' },
  unknown: { sign: '?', words: 'not known', style: 'text-warn' },
} as const

type Props = Pick<Access, 'missing' | 'problem'> & {
  /** Only those that are given are shown: of a source, the right to read. */
  readonly rights: Partial<Rights>
  readonly forge: Access['forge']
  readonly credential: AccessCheck['credential']
  /** Its address. */
  readonly repository: string
  readonly account: string | null
  /** Work that the service leaves out because it may not do it. Only a check says it. */
  readonly off?: Access['off'] | undefined
  readonly base?: Access['base']
  readonly baseLabel?: string
  readonly steps?: AccessCheck['steps']
}

/** Announced when it changes. */
export function AccessReport(props: Props) {
  const { rights, missing, problem, forge, credential, repository, account, off, steps } = props
  const { base, baseLabel = 'Base branch' } = props
  // Without a credential the service keeps them, and a job can't push there: the right of the forge is still unknown.
  const isOpen = credential === null && hostOf(repository).origin?.startsWith('http') === true
  const host = forge ?? (isOpen ? hostOf(repository).forge : undefined)
  const kept = isOpen
    ? 'Pull requests: after the credential of the forge is entered'
    : 'Pull requests, which Docent keeps'
  const pulls = host === undefined ? kept : `Open pull requests on ${forgeNames[host]}`
  const labels: Readonly<Record<Right, string>> = {
    read: 'Read the repository',
    push: 'Push branches',
    pullRequests: pulls,
  }
  return (
    <div role="status" className="flex flex-col gap-3">
      <ul className="divide-y divide-line rounded-md border border-line">
        {(Object.keys(labels) as Right[]).map((right) => {
          const state = rights[right]
          if (state === undefined) return null
          const mine = missing.filter((one) => one.right === right)
          return (
            <Line key={right} state={right === 'pullRequests' && isOpen ? 'unknown' : state} label={labels[right]}>
              {mine.map(({ remedy }) => withoutCommand(remedy)).join(' ')}
            </Line>
          )
        })}
        {base !== undefined && (
          <Line state={base === null ? 'unknown' : 'yes'} label={baseLabel}>
            {base === null ? '' : `${base.branch} at ${base.commit.slice(0, 12)}`}
          </Line>
        )}
      </ul>
      {problem !== null && <p className="text-sm text-bad">{withoutCommand(problem)}</p>}
      {off?.map((sentence) => (
        <p key={sentence} className="text-sm text-warn">
          {sentence}
        </p>
      ))}
      {account !== null && <p className="text-sm text-muted">Signed in as {account}.</p>}
      {steps && <Steps steps={steps} />}
    </div>
  )
}

type LineProps = { readonly state: Rights[Right]; readonly label: string; readonly children: ReactNode }

function Line({ state, label, children }: LineProps) {
  const { sign, words, style } = marks[state]
  return (
    <li className="flex gap-3 px-3 py-2">
      <span aria-hidden className={`w-4 shrink-0 text-center font-semibold ${style}`}>
        {sign}
      </span>
      <span className="min-w-0">
        {label}
        <span className="sr-only">: {words}</span>
        {children !== '' && <span className="block text-sm text-muted">{children}</span>}
      </span>
    </li>
  )
}

const stateMarks = {
  done: marks.yes,
  failed: marks.no,
  skipped: { ...marks.unknown, sign: '–', style: 'text-muted' },
} as const

function Steps({ steps }: { readonly steps: NonNullable<AccessCheck['steps']> }) {
  return (
    <ol aria-label="What was tried" className="flex flex-col gap-1 text-sm">
      {steps.map(({ step, state, detail }) => (
        <li key={step} className="flex gap-3">
          <span aria-hidden className={`w-4 shrink-0 text-center ${stateMarks[state].style}`}>
            {stateMarks[state].sign}
          </span>
          <span className="min-w-0">
            <span className="sr-only">{state}: </span>
            {detail}
          </span>
        </li>
      ))}
    </ol>
  )
}
