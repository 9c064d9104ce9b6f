// The address to which events of an automation are sent, with a request to try, and a button that replaces the secret.

import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { may, sessionQuery } from '../../api/people/session.ts'
import { type Automation, rotateEventSecret } from '../../api/project/automations.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { ShownSecret } from './shown-secret.tsx'

type Props = { readonly projectId: string; readonly automation: Automation; readonly address: string }

export function EventAddress({ projectId, automation, address }: Props) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  return (
    <section aria-labelledby="events" className="mt-8 flex flex-col gap-3">
      <h2 id="events" className="text-lg font-semibold">
        Events
      </h2>
      <p className="max-w-prose text-muted">
        A request to this address starts a run, signed with the secret or with a key that may write. Its payload is data
        for the job, never instructions.
      </p>
      <CopyBlock name="The address" text={address} />
      <CopyBlock name="A request with a key" text={exampleOf(address)} />
      {may(session, 'admin') && <NewSecret projectId={projectId} automation={automation} />}
    </section>
  )
}

function exampleOf(address: string): string {
  return [
    `curl -X POST ${address} \\`,
    `  -H "Authorization: Bearer $DOCENT_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{ "version": "2.0.0" }'`,
  ].join('\n')
}

function NewSecret({ projectId, automation: { id } }: Omit<Props, 'address'>) {
  const [isAsked, setIsAsked] = useState(false)
  const rotate = useMutation({ mutationFn: () => rotateEventSecret(projectId, id) })
  const secret = rotate.data?.secret ?? undefined
  return (
    <div>
      <Button onClick={() => setIsAsked(true)}>New secret</Button>
      {isAsked && (
        <Confirm
          title="Replace the secret?"
          verb="Replace"
          onClose={() => setIsAsked(false)}
          onConfirm={() => rotate.mutateAsync()}
        >
          Events that are signed with the old one are refused at once.
        </Confirm>
      )}
      {secret !== undefined && <ShownSecret secret={secret} onClose={() => rotate.reset()} />}
    </div>
  )
}
