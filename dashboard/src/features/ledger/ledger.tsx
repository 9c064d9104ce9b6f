// The ledger: for each change of the product, whether it is documented; and a run for those that were left out.

import { useInfiniteQuery, useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { createRequestKey } from '../../api/job/request-key.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import {
  type Ledger,
  type LedgerEntry,
  type LedgerFilter,
  ledgerQuery,
  lookAtCommit,
} from '../../api/project/ledger.ts'
import { sourcesQuery } from '../../api/project/sources.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ExternalLink } from '../../ui/external-link.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Releases } from './releases.tsx'
import { isOpen, sayCounts, saySavings, states } from './words.ts'

export function LedgerPage() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/ledger' })
  const chosen = useSearch({ from: '/shell/projects/$projectId/ledger' })
  const pages = useInfiniteQuery(ledgerQuery(projectId, chosen))
  const { data: session } = useSuspenseQuery(sessionQuery)
  const mayAsk = may(session, 'editor')
  const first = pages.data?.pages[0]
  const entries = pages.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <PageHead title="Ledger" about="The changes of the product, and whether the documentation has them." />
      <Filters projectId={projectId} chosen={chosen} />
      {pages.isPending && <Skeleton className="h-48" />}
      {pages.isError && <Refused error={pages.error} retry={() => void pages.refetch()} />}
      {first && first.followers.count > 0 && <Sums ledger={first} />}
      {first && <Releases releases={first.releases} />}
      {first && entries.length === 0 && <Nothing projectId={projectId} />}
      {entries.length > 0 && (
        <div className="flex flex-col items-start gap-3">
          <div className="w-full">
            <Table
              name="Changes"
              columns={columnsFor(projectId, mayAsk)}
              rows={entries}
              keyOf={({ source, commit }) => `${source ?? ''} ${commit}`}
            />
          </div>
          {pages.hasNextPage && (
            <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
              Older changes
            </Button>
          )}
        </div>
      )}
    </>
  )
}

type Chosen = LedgerFilter

const noRange = { from: undefined, to: undefined } as const

function Filters({ projectId, chosen }: { readonly projectId: string; readonly chosen: Chosen }) {
  const navigate = useNavigate()
  const { data: sources = [] } = useQuery(sourcesQuery(projectId))
  const choose = (change: Chosen) => {
    const search = { ...chosen, ...change }
    void navigate({ to: '/projects/$projectId/ledger', params: { projectId }, search, replace: true })
  }
  return (
    <div className="mb-4 flex flex-wrap gap-4">
      <Field label="Source">
        <Select
          value={chosen.source ?? ''}
          options={[
            { value: '', label: 'All' },
            { value: '.', label: 'The repository of the project' },
            ...sources.map(({ name }) => ({ value: name, label: name })),
          ]}
          onChange={(source) => choose({ source: source === '' ? undefined : source, ...noRange })}
        />
      </Field>
      <Field label="State">
        <Select
          value={chosen.state ?? 'all'}
          options={[
            { value: 'all', label: 'All' },
            ...Object.entries(states).map(([value, { label }]) => ({ value: value as LedgerEntry['state'], label })),
          ]}
          onChange={(state) => choose({ state: state === 'all' ? undefined : state })}
        />
      </Field>
      {chosen.from !== undefined && (
        <p className="self-end">
          Only the changes after <bdi className="font-mono">{chosen.from}</bdi>
          {chosen.to === undefined ? '' : ', up to '}
          <bdi className="font-mono">{chosen.to}</bdi>.{' '}
          <Button size="small" onClick={() => choose(noRange)}>
            Show all
          </Button>
        </p>
      )}
    </div>
  )
}

function Sums({ ledger }: { readonly ledger: Ledger }) {
  const savings = saySavings(ledger)
  return (
    <div className="mb-4 max-w-prose">
      <p className="font-medium">{sayCounts(ledger.counts)}</p>
      {ledger.notFollowed !== null && ledger.notFollowed > 0 && (
        <p>{ledger.notFollowed} more: no automation followed them, so nothing is known about them.</p>
      )}
      {savings !== undefined && <p className="text-sm text-muted">{savings}</p>}
    </div>
  )
}

function Nothing({ projectId }: { readonly projectId: string }) {
  return (
    <Empty
      title="No change is listed here"
      action={
        <Link
          to="/projects/$projectId/automations"
          params={{ projectId }}
          className="text-accent underline underline-offset-2"
        >
          Automations
        </Link>
      }
    >
      An automation that is started by code follows a source. Each change that is merged from then on is listed here.
    </Empty>
  )
}

function columnsFor(projectId: string, mayAsk: boolean): readonly Column<LedgerEntry>[] {
  return [
    {
      head: 'Change',
      cell: ({ subject, commit, author, committedAt, source }) => (
        <div className="min-w-0">
          <bdi className="break-words">{subject}</bdi>
          <p className="text-sm text-muted">
            <span className="font-mono">{commit.slice(0, 12)}</span>
            {source === null ? '' : ` in ${source}`} by <bdi>{author}</bdi>, <RelativeTime at={committedAt} />
          </p>
        </div>
      ),
    },
    { head: 'State', cell: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge> },
    { head: 'Score', cell: ({ score }) => (score === null ? '' : score.toFixed(2)), align: 'right' },
    { head: 'Because', cell: (entry) => <Because projectId={projectId} entry={entry} /> },
    { head: '', cell: (entry) => mayAsk && isOpen(entry) && <LookAtIt projectId={projectId} entry={entry} /> },
  ]
}

type EntryProps = { readonly projectId: string; readonly entry: LedgerEntry }

function Because({ projectId, entry: { pullRequest, jobId, reason } }: EntryProps) {
  return (
    <span className="flex flex-wrap gap-x-3">
      {pullRequest !== null && <ExternalLink href={pullRequest.url}>#{pullRequest.number}</ExternalLink>}
      {jobId !== null && (
        <Link
          to="/projects/$projectId/jobs/$jobId"
          params={{ projectId, jobId }}
          className="text-accent underline underline-offset-2"
        >
          Job
        </Link>
      )}
      {reason !== null && <bdi className="text-muted">{reason}</bdi>}
    </span>
  )
}

function LookAtIt({ projectId, entry }: EntryProps) {
  const key = useRef(createRequestKey())
  const look = useMutation({
    mutationFn: () => lookAtCommit(projectId, entry, key.current),
    onSuccess: () => say('A run begins as soon as the automation has no other one'),
    onSettled: () => (key.current = createRequestKey()),
  })
  return (
    <>
      <Button size="small" busy={look.isPending} onClick={() => look.mutate()}>
        Document it
      </Button>
      {look.isError && <Refused error={look.error} />}
    </>
  )
}
