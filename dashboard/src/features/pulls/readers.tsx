// Readers of the changed pages before and after the merge, below the head of a merged pull request. Says which days these are
// and what is missing; never why something changed.

import { useQuery } from '@tanstack/react-query'
import { type Effect, effectQuery } from '../../api/job/effect.ts'
import type { PullNow } from '../../api/pulls.ts'
import { Table } from '../../ui/table.tsx'

const numbers = new Intl.NumberFormat('en')
const days = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const dayMs = 86_400_000

type Props = { readonly pull: PullNow; readonly projectId: string }

export function Readers({ pull, projectId }: Props) {
  const effect = useQuery({ ...effectQuery(projectId, pull.jobId), enabled: pull.state === 'merged' })
  // A job may have merged another pull request since. Numbers that can't be read are no part of the change.
  if (effect.data?.pullRequest?.number !== pull.number) return undefined
  return <Shown effect={effect.data} />
}

function Shown({ effect: { before, after, note, pages, pagesLeftOut } }: { readonly effect: Effect }) {
  return (
    <section aria-label="Readers before and after" className="mb-5 text-sm">
      <h2 className="mb-1 text-base font-semibold">Readers before and after</h2>
      {before && after && (
        <p className="text-muted">
          Before the merge: {sayRange(before)}. After it: {sayRange(after)}. Each number adds up single days.
        </p>
      )}
      {note !== null && <p>{note}</p>}
      {before && pages.length > 0 && (
        <div className="mt-2">
          <Table
            name="Readers of the changed pages"
            rows={pages}
            keyOf={({ path }) => path}
            columns={[
              { head: 'Page', cell: ({ path }) => <span className="font-mono wrap-anywhere">{path}</span> },
              ...counts.map(({ key, head }) => {
                const align = 'right' as const
                return { head, align, cell: (page: Page) => <Pair before={page.before[key]} after={page.after[key]} /> }
              }),
            ]}
          />
        </div>
      )}
      {pagesLeftOut > 0 && <p className="mt-1 text-muted">{pagesLeftOut} more pages have fewer.</p>}
    </section>
  )
}

type Page = Effect['pages'][number]

const counts = [
  { key: 'readers', head: 'Readers' },
  { key: 'agents', head: 'AI agents' },
  { key: 'failures', head: 'Failures' },
] as const

function Pair({ before, after }: { readonly before: number; readonly after: number }) {
  return (
    <>
      {numbers.format(before)} <span aria-label="before, after">→</span> {numbers.format(after)}
    </>
  )
}

function sayRange({ dateFrom, dateTo }: NonNullable<Effect['before']>): string {
  return days.formatRange(new Date(dateFrom), new Date(Date.parse(dateTo) - dayMs))
}
