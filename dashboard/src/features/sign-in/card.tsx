// The page of a person who is not signed in: one form in the middle.

import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { sessionQuery } from '../../api/people/session.ts'
import { Refused, Skeleton } from '../../ui/notice.tsx'

type Props = { readonly title: string; readonly children: ReactNode }

/** Says before a password is typed that the connection cannot keep it, and asks for no password where nobody may sign in. */
export function Card({ title, children }: Props) {
  const session = useQuery(sessionQuery)
  useEffect(() => {
    document.title = `${title} · Docent`
  }, [title])
  return (
    <main className="flex min-h-dvh items-center justify-center bg-sunken p-4">
      <div className="flex w-full max-w-sm flex-col gap-4 rounded-lg border border-line bg-raised p-6">
        <h1 className="text-xl font-semibold">{title}</h1>
        {session.isPending && <Skeleton className="h-40" />}
        {session.isError && <Refused error={session.error} retry={() => void session.refetch()} />}
        {session.isSuccess && <Insecure transport={session.data.transport} maySignIn={session.data.signIn} />}
        {session.data?.signIn === true && children}
      </div>
    </main>
  )
}

type InsecureProps = { readonly transport: string; readonly maySignIn: boolean }

/** A proxy can hide plain http from the service; the browser knows. */
function Insecure({ transport, maySignIn }: InsecureProps) {
  if (transport !== 'plain' && window.isSecureContext) return null
  return (
    <div role="note" className="flex flex-col gap-2 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
      <p>This connection is not encrypted: others on the network can read what you type.</p>
      {maySignIn ? (
        <p>Open this page over https if you can.</p>
      ) : (
        <>
          <p>Signing in is turned off here. Open this page over https, or on the machine of the service.</p>
          <p>
            To allow it, the operator sets <code className="font-mono break-all">DOCENT_ALLOW_HTTP_SIGN_IN=true</code>.
          </p>
        </>
      )}
    </div>
  )
}
