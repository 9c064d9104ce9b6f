// A stored credential, without its secret, and how to remove it.

import { type ReactNode, useState } from 'react'
import type { Credential } from '../../../api/connections.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { say } from '../../../ui/overlay/toast.tsx'

const kinds: Readonly<Record<Credential['kind'], string>> = {
  github_app: 'GitHub App',
  token: 'Access token',
  basic: 'User and password',
  ssh: 'Key for ssh',
}

type Props = {
  readonly credential: Credential
  readonly remove: () => Promise<void>
  /** The consequence of removing it. */
  readonly children: ReactNode
}

export function Stored({ credential, remove, children }: Props) {
  const [isAsked, setIsAsked] = useState(false)
  const { kind, webUrl, problem, expiresAt, checkedAt, updatedAt } = credential
  return (
    <div className="flex flex-wrap items-start justify-between gap-3 rounded-md border border-line px-3 py-2">
      <div className="min-w-0">
        <p className="font-medium">{kinds[kind]}</p>
        <p className="text-sm text-muted">
          Sent to {webUrl} only. Entered <RelativeTime at={updatedAt} />
          {checkedAt !== null && (
            <>
              , checked <RelativeTime at={checkedAt} />
            </>
          )}
          {expiresAt !== null && (
            <>
              , expires <RelativeTime at={expiresAt} />
            </>
          )}
          .
        </p>
        {problem !== null && <p className="text-sm text-bad">{problem}</p>}
      </div>
      <Button size="small" onClick={() => setIsAsked(true)}>
        Remove
      </Button>
      {isAsked && (
        <Confirm
          title="Remove the credential?"
          verb="Remove"
          onClose={() => setIsAsked(false)}
          onConfirm={async () => {
            await remove()
            say('The credential is removed')
          }}
        >
          The secret is deleted from this service. Revoke it at the host, too. {children}
        </Confirm>
      )}
    </div>
  )
}
