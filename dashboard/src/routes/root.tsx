// The frame of every page: what it shows while a page loads, when it fails, and when an address is unknown.

import { type ErrorComponentProps, Link, Outlet, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Problem } from '../api/problem.ts'
import { Button, buttonStyle } from '../ui/button.tsx'
import { Empty, Refused, Skeleton } from '../ui/notice.tsx'
import { PageHead } from '../ui/page.tsx'
import { Toasts } from '../ui/overlay/toast.tsx'
import { ServiceBanner } from './service-banner.tsx'

export function Root() {
  useFocusOnNavigation()
  return (
    <>
      <ServiceBanner />
      <Outlet />
      <Toasts />
    </>
  )
}

/** Moves the focus to the heading of the opened page, as a full load would do, unless the page chose a field. */
function useFocusOnNavigation(): void {
  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        const main = document.querySelector('main')
        if (fromLocation === undefined || !pathChanged || main?.contains(document.activeElement) === true) return
        const target = main?.querySelector<HTMLElement>('h1[tabindex]') ?? main
        target?.focus({ preventScroll: true })
      }),
    [router],
  )
}

export function Missing() {
  return (
    <>
      <PageHead
        title="There is nothing at this address"
        about="It may have been deleted, or the link is wrong. A colleague with another role may be able to see it."
      />
      <Link to="/" className={buttonStyle({ kind: 'primary' })}>
        Go to the start
      </Link>
    </>
  )
}

/** For an address that is unknown to somebody who is not signed in. */
export function MissingPage() {
  return (
    <main className="mx-auto max-w-xl p-6">
      <Missing />
    </main>
  )
}

export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  if (error instanceof Problem && error.status === 404) return <Missing />
  // A file of an older build that is gone: the page has been loaded again once.
  if (error instanceof Error && /dynamically imported module|module script failed/i.test(error.message))
    return (
      <Empty
        title="The dashboard was updated"
        action={
          <Button kind="primary" onClick={() => location.reload()}>
            Load the page again
          </Button>
        }
      >
        This tab still runs the version before the update.
      </Empty>
    )
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return <Refused error={error} retry={retry} />
}

export function PageLoading() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4">
      <Skeleton className="h-7 w-48" />
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton className="h-48" />
    </div>
  )
}
