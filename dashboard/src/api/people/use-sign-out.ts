// Leaves the dashboard: nothing of the person stays in this browser.

import { useRouter } from '@tanstack/react-router'
import { queries } from '../queries.ts'
import { signOut } from './session.ts'

export function useSignOut(): (everywhere: boolean) => Promise<void> {
  const router = useRouter()
  return async (everywhere) => {
    await signOut(everywhere)
    await router.navigate({ to: '/sign-in' })
    queries.clear()
  }
}
