// Creates a project: its repository, a name, and the base branch. The service tries the access before it responds.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Problem } from '../../../api/problem.ts'
import { createProject, type Project, projectsQuery } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { Address } from './address.tsx'
import { nameOf } from './host.ts'

const taken = 'Another project has this name. Commands then need the id of the one that you mean.'

type Props = { readonly onCreated: (project: Project) => void }

export function RepositoryForm({ onCreated }: Props) {
  const [repository, setRepository] = useState('')
  /** Undefined: follows the repository. */
  const [name, setName] = useState<string>()
  const [branch, setBranch] = useState('')
  const shownName = name ?? nameOf(repository)
  const { data: projects = [] } = useQuery(projectsQuery)
  const isTaken = projects.some((one) => one.name === shownName.trim())
  const create = useMutation({
    mutationFn: () =>
      createProject({
        name: shownName,
        repository: repository.trim(),
        branch: branch.trim() === '' ? null : branch.trim(),
      }),
    onSuccess: onCreated,
  })
  const problem = create.error instanceof Problem ? create.error : undefined
  return (
    <form
      className="flex max-w-xl flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Address
        value={repository}
        onChange={setRepository}
        problem={problem?.of('repository')}
        placeholder="https://github.com/acme/docs.git"
      />
      <Field label="Name" hint={isTaken ? taken : 'What your team calls it.'} problem={problem?.of('name')}>
        <Input required maxLength={100} value={shownName} onChange={(event) => setName(event.currentTarget.value)} />
      </Field>
      <Field
        label="Base branch"
        hint="Jobs start from it. Empty: the default branch of the repository."
        problem={problem?.of('branch')}
      >
        <Input
          value={branch}
          spellCheck={false}
          placeholder="main"
          onChange={(event) => setBranch(event.currentTarget.value)}
        />
      </Field>
      {create.isError && problem?.details.length === 0 && <Refused error={create.error} />}
      <div>
        <Button type="submit" kind="primary" busy={create.isPending}>
          {create.isPending ? 'Trying the access …' : 'Connect the repository'}
        </Button>
      </div>
    </form>
  )
}
