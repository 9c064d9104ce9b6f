// Creates a key: its name, what it can do, for which projects, and until when.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createKey, type NewKey } from '../../api/keys.ts'
import { Problem } from '../../api/problem.ts'
import { projectsQuery } from '../../api/projects.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ShownKey } from './shown-key.tsx'

const lifetimes = ['7', '30', '60', '90', 'never'] as const
type Lifetime = (typeof lifetimes)[number]
const dayMs = 86_400_000

type Form = {
  readonly name: string
  readonly scope: NonNullable<NewKey['scope']>
  /** Empty: all. */
  readonly projects: readonly string[]
  readonly lifetime: Lifetime
  readonly addresses: string
}

const empty: Form = { name: '', scope: 'write', projects: [], lifetime: '90', addresses: '' }

function toKey({ name, scope, projects, lifetime, addresses }: Form): NewKey {
  return {
    name,
    scope,
    projectIds: projects.length === 0 ? null : [...projects],
    expiresAt: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString(),
    allowedAddresses: addresses.trim() === '' ? null : addresses.trim().split(/[\s,]+/),
  }
}

const scopes = [
  { value: 'read', label: 'Read', hint: 'Read jobs and statistics' },
  { value: 'write', label: 'Write', hint: 'Also create jobs and record page views' },
  { value: 'admin', label: 'Admin', hint: 'Also manage projects, keys and people' },
] as const

export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [form, setForm] = useState(empty)
  const change = (part: Partial<Form>) => setForm((before) => ({ ...before, ...part }))
  const create = useMutation({
    mutationFn: () => createKey(toKey(form)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  const problem = create.error instanceof Problem ? create.error : undefined
  if (create.isSuccess) return <ShownKey created={create.data} onClose={onClose} />
  const address = problem?.details.find(({ pointer }) => pointer.startsWith('#/allowedAddresses'))?.message
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Create a key"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="new-key" kind="primary" busy={create.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form
        id="new-key"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Fields form={form} onChange={change} problem={problem} address={address} />
        {create.isError && problem?.of('name') === undefined && address === undefined && (
          <Refused error={create.error} />
        )}
      </form>
    </Dialog>
  )
}

type FieldsProps = {
  readonly form: Form
  readonly onChange: (part: Partial<Form>) => void
  readonly problem: Problem | undefined
  /** The problem with the addresses. */
  readonly address: string | undefined
}

function Fields({ form, onChange, problem, address }: FieldsProps) {
  return (
    <>
      <Field label="Name" hint="Who or what will use it." problem={problem?.of('name')}>
        <Input
          required
          autoFocus
          maxLength={100}
          value={form.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
      </Field>
      <Field label="Scope">
        <Select name="Scope" value={form.scope} options={scopes} onChange={(scope) => onChange({ scope })} />
      </Field>
      <ProjectChoice chosen={form.projects} onChoose={(projects) => onChange({ projects })} />
      <Field label="Expires">
        <Select
          name="Expires"
          value={form.lifetime}
          options={lifetimes.map((value) => ({ value, label: value === 'never' ? 'Never' : `In ${value} days` }))}
          onChange={(lifetime) => onChange({ lifetime })}
        />
      </Field>
      <Field label="Allowed addresses" hint="IP addresses or networks; empty: any address." problem={address}>
        <Input
          value={form.addresses}
          placeholder="192.0.2.0/24"
          onChange={(event) => onChange({ addresses: event.currentTarget.value })}
        />
      </Field>
    </>
  )
}

type ChoiceProps = {
  readonly chosen: readonly string[]
  readonly onChoose: (chosen: readonly string[]) => void
}

function ProjectChoice({ chosen, onChoose }: ChoiceProps) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const toggle = (id: string) => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  if (projects.length === 0) return null
  return (
    <fieldset className="flex min-w-0 flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">Projects</legend>
      <div className="flex max-h-40 flex-col gap-1 overflow-y-auto rounded-md border border-strong-line px-3 py-2">
        {projects.map(({ id, name }) => (
          <label key={id} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="accent-accent"
              checked={chosen.includes(id)}
              onChange={() => toggle(id)}
            />
            <span className="min-w-0">{name}</span>
          </label>
        ))}
      </div>
      <p className="text-sm text-muted">
        {chosen.length === 0
          ? 'With no project chosen, the key works for all, also future ones.'
          : `${chosen.length} chosen.`}
      </p>
    </fieldset>
  )
}
