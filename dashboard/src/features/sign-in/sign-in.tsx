// Signing in with e-mail and password, and back to the page that asked for it.

import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { sessionQuery } from '../../api/people/session.ts'
import { Card } from './card.tsx'
import { useEnter } from './enter.ts'
import { SignInForm } from './sign-in-form.tsx'

export function SignIn() {
  const enter = useEnter()
  const { back = '/' } = useSearch({ from: '/sign-in' })
  return (
    <Card title="Sign in to Docent">
      <NoAccount />
      <SignInForm onSignedIn={(session) => enter(session, { href: back })} />
      <p className="text-sm text-muted">
        Forgot the password? Ask the operator for a link: <code className="font-mono">docent person reset EMAIL</code>
      </p>
    </Card>
  )
}

/** Nobody can sign in yet. */
function NoAccount() {
  const { data: session } = useQuery(sessionQuery)
  if (session?.setup !== true) return null
  return (
    <p role="note" className="rounded-md bg-accent-soft px-3 py-2 text-sm">
      There is no account yet. Open the link that <code className="font-mono">docent serve</code> printed, or get a new
      one with <code className="font-mono">docent setup-link</code>.
    </p>
  )
}
