// Whether commits are signed, with the public key to enter at the forge.

import { useMutation } from '@tanstack/react-query'
import { type Credential, dropSigningKey, makeSigningKey } from '../../../api/connections.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyBlock } from '../../../ui/copy.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Refused } from '../../../ui/notice.tsx'

type Props = { readonly projectId: string; readonly credential: Credential }

/** GitHub signs the commits of a GitHub App itself. */
export function Signing({ projectId, credential: { kind, forge, signingKey } }: Props) {
  const make = useMutation({ mutationFn: () => makeSigningKey(projectId) })
  const drop = useMutation({ mutationFn: () => dropSigningKey(projectId) })
  if (kind === 'github_app') return null
  if (signingKey === null) {
    return (
      <div className="flex flex-col gap-2">
        <div>
          <Button size="small" busy={make.isPending} onClick={() => make.mutate()}>
            Sign commits
          </Button>
        </div>
        {make.isError && <Refused error={make.error} />}
      </div>
    )
  }
  const { publicKey, page } = signingKey
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line px-3 py-2">
      <p className="text-sm">
        Commits are signed. Enter this key{' '}
        {page === null ? 'at the host' : <ExternalLink href={page}>at the forge</ExternalLink>} as a signing key of the
        account, then try a push.
        {forge === 'gitea' && (
          <>
            {' '}
            Prove it there first:{' '}
            <code className="font-mono">docent project credential sign {projectId} --prove TEXT</code> prints the
            signature of the text that the page shows.
          </>
        )}
      </p>
      <CopyBlock name="The public key" text={publicKey} />
      {drop.isError && <Refused error={drop.error} />}
      <div>
        <Button size="small" busy={drop.isPending} onClick={() => drop.mutate()}>
          Stop signing
        </Button>
      </div>
    </div>
  )
}
