// The statistics of a project behind a shared link: read-only, without an account. The token is in the address after the #,
// which no server and no log gets.

import { useLocation, useParams } from '@tanstack/react-router'
import { Problem } from '../../../api/problem.ts'
import { Empty } from '../../../ui/notice.tsx'
import { Statistics } from '../statistics.tsx'

export function SharedPage() {
  const { projectId } = useParams({ from: '/shared/$projectId' })
  const { hash: token } = useLocation()
  return (
    <div className="min-h-dvh">
      <header className="flex flex-wrap items-center justify-between gap-x-5 border-b border-line px-4 py-3">
        <span className="font-semibold">Docent</span>
        <span className="text-sm text-muted">Read-only link</span>
      </header>
      <main id="main" tabIndex={-1} className="mx-auto max-w-6xl px-4 py-6 outline-none">
        {token === '' ? (
          <Incomplete />
        ) : (
          <Statistics
            key={`${projectId} ${token}`}
            reader={{ projectId, token }}
            title={(about) => (about ? `Visitors of ${about.name}` : 'Visitors')}
            empty={<Empty title="There are no visitors yet">This page fills itself when the first ones come.</Empty>}
            refused={(error) => (isRefused(error) ? <Revoked /> : undefined)}
          />
        )}
      </main>
    </div>
  )
}

function isRefused(error: unknown): boolean {
  return error instanceof Problem && [401, 403, 404].includes(error.status)
}

function Revoked() {
  return (
    <Empty title="This link does not work">
      It was revoked, has expired, or is not complete. Ask the person who sent it for a new one.
    </Empty>
  )
}

function Incomplete() {
  return (
    <>
      <h1 className="sr-only">Visitors</h1>
      <Empty title="This link is not complete">
        The part after the # is missing. Copy the whole link, or ask the person who sent it for a new one.
      </Empty>
    </>
  )
}
