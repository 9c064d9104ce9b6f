// Enters how the service signs in at the host of a repository: a token, an installation of a GitHub App, a user with a
// password, or a key for ssh. The address decides which of them are offered. A secret never comes back.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Credential, NewCredential } from '../../../api/connections.ts'
import { Problem } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { Choices } from '../../../ui/form/choice.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { BasicFields, SshFields, TokenFields } from './credential-fields.tsx'
import { hostOf, type Kind } from './host.ts'
import { InstallationChoice } from './installation.tsx'

type Props = {
  readonly repository: string
  /** Stores it, and checks it. */
  readonly put: (given: NewCredential) => Promise<Credential>
  /** For a source: the credential needs no other right. */
  readonly isReadOnly?: boolean
  readonly onStored: (stored: Credential) => void
  readonly onCancel?: (() => void) | undefined
}

const labels = {
  token: { label: 'Access token', hint: 'Quickest: of an account that your team knows as a bot.' },
  github_app: { label: 'GitHub App', hint: 'For organizations: belongs to no person, and its tokens last an hour.' },
  basic: { label: 'User and password', hint: 'For git servers without pull requests of their own.' },
} as const

export function CredentialForm({ repository, put: store, isReadOnly = false, onStored, onCancel }: Props) {
  const host = hostOf(repository)
  const [kind, setKind] = useState<Kind>(host.isSsh ? 'ssh' : 'token')
  const [given, setGiven] = useState<NewCredential>({})
  const put = useMutation({
    mutationFn: () => store(given),
    onSuccess: (stored) => {
      setGiven({})
      onStored(stored)
    },
  })
  const problem = put.error instanceof Problem ? put.error : undefined
  const change = (fields: NewCredential) => setGiven((before) => ({ ...before, ...fields }))
  const fields = { repository, isReadOnly, host, given, change, problem }
  const kinds = (['token', 'github_app', 'basic'] as const).filter(
    (one) => one !== 'github_app' || host.forge === undefined || host.forge === 'github',
  )
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        put.mutate()
      }}
    >
      {!host.isSsh && (
        <Choices
          legend="How Docent signs in"
          value={kind}
          choices={kinds.map((value) => ({ value, ...labels[value] }))}
          onChange={(chosen) => {
            setKind(chosen)
            setGiven(chosen === 'basic' ? { forge: 'git' } : {})
            put.reset()
          }}
          className={kinds.length === 3 ? 'sm:grid-cols-3' : 'sm:grid-cols-2'}
        />
      )}
      {kind === 'token' && <TokenFields {...fields} />}
      {kind === 'basic' && <BasicFields {...fields} />}
      {kind === 'ssh' && <SshFields {...fields} />}
      {kind === 'github_app' && <InstallationChoice {...fields} />}
      {put.isError && !isAtField(problem) && <Refused error={put.error} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={put.isPending}>
          {put.isPending ? 'Checking the access …' : 'Save and check'}
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  )
}

const shown = ['token', 'user', 'forge', 'apiUrl', 'privateKey', 'hostKey', 'installationId']

function isAtField(problem: Problem | undefined): boolean {
  return problem !== undefined && shown.some((field) => problem.of(field) !== undefined)
}
