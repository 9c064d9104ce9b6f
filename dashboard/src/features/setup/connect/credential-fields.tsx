// The fields of each kind of credential.

import type { ComponentProps, ReactNode } from 'react'
import type { NewCredential } from '../../../api/connections.ts'
import type { Problem } from '../../../api/problem.ts'
import { Field, Input, TextArea } from '../../../ui/form/field.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { adviceFor, type Host } from './host.ts'

export type FieldsProps = {
  readonly repository: string
  readonly isReadOnly: boolean
  readonly host: Host
  readonly given: NewCredential
  readonly change: (fields: NewCredential) => void
  readonly problem: Problem | undefined
}

const forges = [
  { value: 'auto', label: 'Find out' },
  { value: 'github', label: 'GitHub' },
  { value: 'gitlab', label: 'GitLab' },
  { value: 'gitea', label: 'Gitea or Forgejo' },
] as const

export function TokenFields({ repository, isReadOnly, host, given, change, problem }: FieldsProps) {
  const advice = adviceFor(repository, isReadOnly)
  const hint = advice && (
    <>
      <ExternalLink href={advice.url}>{advice.link}</ExternalLink> {advice.needs}
    </>
  )
  return (
    <>
      <Token
        label="Token"
        hint={hint ?? 'It is stored encrypted, and sent to this host only.'}
        {...{ given, change, problem }}
      />
      {host.forge === 'bitbucket' && <EmailAddress given={given} change={change} problem={problem} />}
      {host.forge === undefined && <OwnServer given={given} change={change} problem={problem} />}
    </>
  )
}

type OneField = Pick<FieldsProps, 'change' | 'given' | 'problem'>
type TokenProps = OneField & { readonly label: string; readonly hint: ReactNode }

function Token({ label, hint, given, change, problem }: TokenProps) {
  return (
    <Field label={label} hint={hint} problem={problem?.of('token')}>
      <Input
        type="password"
        autoComplete="off"
        required
        value={given.token ?? ''}
        onChange={(event) => change({ token: event.currentTarget.value })}
      />
    </Field>
  )
}

/** An access token needs no address. */
function EmailAddress({ given: { user }, change, problem }: OneField) {
  return (
    <Field
      label="E-mail address"
      hint="Only for an API token: the one of its Atlassian account."
      problem={problem?.of('user')}
    >
      <Input
        type="email"
        autoComplete="off"
        value={user ?? ''}
        onChange={(event) => change({ user: event.currentTarget.value || undefined } as NewCredential)}
      />
    </Field>
  )
}

/** A host whose forge the address does not tell. */
function OwnServer({ given: { forge, apiUrl }, change, problem }: OneField) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Forge" problem={problem?.of('forge')}>
        <Select
          name="Forge"
          value={forge === undefined || forge === 'git' ? 'auto' : forge}
          options={forges}
          onChange={(value) => change({ forge: value === 'auto' ? undefined : value } as NewCredential)}
        />
      </Field>
      <Field label="Address of its API" hint="Only where it is not the usual one." problem={problem?.of('apiUrl')}>
        <Input
          type="url"
          value={apiUrl ?? ''}
          placeholder="https://git.example.com/api/v4"
          onChange={(event) => change({ apiUrl: event.currentTarget.value || undefined } as NewCredential)}
        />
      </Field>
    </div>
  )
}

export function BasicFields({ given, change, problem }: FieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="User" problem={problem?.of('user')}>
        <Input
          required
          autoComplete="off"
          value={given.user ?? ''}
          onChange={(event) => change({ user: event.currentTarget.value })}
        />
      </Field>
      <Token label="Password or token" hint="It is stored encrypted." {...{ given, change, problem }} />
    </div>
  )
}

export function SshFields({ isReadOnly, host, given, change, problem }: FieldsProps) {
  const name = (host.origin ?? '').replace('ssh://', '').replace(/:\d+$/, '')
  return (
    <>
      <Field
        label="Private key"
        hint={`Without a passphrase, as ssh-keygen writes it. Add its public part at the host as a deploy key that may ${isReadOnly ? 'read' : 'write'}.`}
        problem={problem?.of('privateKey')}
      >
        <KeyText
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          value={given.privateKey ?? ''}
          onChange={(event) => change({ privateKey: event.currentTarget.value })}
        />
      </Field>
      <Field
        label="Keys of the host"
        hint={
          <>
            The lines that <code className="font-mono">ssh-keyscan {name}</code> prints. Compare them with the ones that
            the host publishes.
          </>
        }
        problem={problem?.of('hostKey')}
      >
        <KeyText value={given.hostKey ?? ''} onChange={(event) => change({ hostKey: event.currentTarget.value })} />
      </Field>
    </>
  )
}

function KeyText(props: ComponentProps<'textarea'>) {
  return <TextArea required spellCheck={false} className="font-mono text-sm" {...props} />
}
