// Creates a key: its name, what it can do, for which projects, and until when.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { createKey, type NewKey } from '../../api/keys.ts'
import { Problem } from '../../api/problem.ts'
import { projectsQuery } from '../../api/projects.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { ShownKey } from './shown-key.tsx'

const lifetimes = ['7', '30', '60', '90', 'never'] as const
type Lifetime = (typeof lifetimes)[number]
const dayMs = 86_400_000

const scopes = [
  { value: 'read', label: 'Read', hint: 'Read jobs and statistics' },
  { value: 'write', label: 'Write', hint: 'Also create jobs and record page views' },
  { value: 'admin', label: 'Admin', hint: 'Also manage projects, keys and people' },
] as const

export function NewKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const [name, setName] = useState('')
  const [scope, setScope] = useState<NonNullable<NewKey['scope']>>('write')
  const [project, setProject] = useState('all')
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [addresses, setAddresses] = useState('')
  const create = useMutation({
    mutationFn: () =>
      createKey({
        name,
        scope,
        projectIds: project === 'all' ? null : [project],
        expiresAt: lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs).toISOString(),
        allowedAddresses: addresses.trim() === '' ? null : addresses.trim().split(/[\s,]+/),
      }),
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
        <Field label="Name" hint="Who or what will use it." problem={problem?.of('name')}>
          <Input required maxLength={100} value={name} onChange={(event) => setName(event.currentTarget.value)} />
        </Field>
        <Field label="Scope">
          <Select name="Scope" value={scope} options={scopes} onChange={setScope} />
        </Field>
        <Field label="Project">
          <Select
            name="Project"
            value={project}
            options={[
              { value: 'all', label: 'All projects' },
              ...projects.map((one) => ({ value: one.id, label: one.name })),
            ]}
            onChange={setProject}
          />
        </Field>
        <Field label="Expires">
          <Select
            name="Expires"
            value={lifetime}
            options={lifetimes.map((value) => ({ value, label: value === 'never' ? 'Never' : `In ${value} days` }))}
            onChange={setLifetime}
          />
        </Field>
        <Field label="Allowed addresses" hint="IP addresses or networks; empty: any address." problem={address}>
          <Input
            value={addresses}
            placeholder="192.0.2.0/24"
            onChange={(event) => setAddresses(event.currentTarget.value)}
          />
        </Field>
        {create.isError && problem?.details.length === 0 && <Refused error={create.error} />}
      </form>
    </Dialog>
  )
}
