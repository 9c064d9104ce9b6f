// The way into the dashboard after a sign-in, however it came about.

import { type NavigateOptions, useRouter } from '@tanstack/react-router'
import { type Session, sessionQuery } from '../../api/people/session.ts'
import { queries } from '../../api/queries.ts'

/** The cache belongs to somebody else, or to nobody. A link that was used is not a page to return to. */
export function useEnter(): (session: Session, target?: NavigateOptions) => Promise<void> {
  const router = useRouter()
  return async (session, target = { to: '/' }) => {
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, session)
    await router.navigate({ ...target, replace: true })
  }
}
