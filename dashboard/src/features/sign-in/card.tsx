// The page of a person who is not signed in: one form in the middle.

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sessionQuery } from '../../api/session.ts'

type Props = { readonly title: string; readonly children: ReactNode }

/** Says before a password is typed that the connection cannot keep it. */
export function Card({ title, children }: Props) {
  const { data: session } = useQuery(sessionQuery)
  return (
    <main className="flex min-h-dvh items-center justify-center bg-sunken p-4">
      <div className="flex w-full max-w-sm flex-col gap-4 rounded-lg border border-line bg-raised p-6">
        <h1 className="text-xl font-semibold">{title}</h1>
        {session?.transport === 'plain' && (
          <p role="note" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
            This connection is not encrypted: others on the network can read what you type.{' '}
            {session.signIn
              ? 'Use https as soon as you can.'
              : 'Signing in is turned off here. Use https, or set DOCENT_ALLOW_HTTP_SIGN_IN=true on the server.'}
          </p>
        )}
        {children}
      </div>
    </main>
  )
}
