// Creates a project: a name, the repository and its base branch. The service tries the access at once and says what it found.

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Input } from '../../ui/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'

export function NewProject() {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const [repository, setRepository] = useState('')
  const [branch, setBranch] = useState('')
  const create = useMutation({
    mutationFn: () =>
      ask((api) => api.POST('/v1/projects', { body: { name, repository, branch: branch === '' ? null : branch } })),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['projects'] })
      await navigate({ to: '/projects/$projectId', params: { projectId: id } })
    },
  })
  const problem = create.error instanceof Problem ? create.error : undefined
  return (
    <>
      <PageHead title="New project" />
      <form
        className="flex max-w-xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label="Name" problem={problem?.of('name')}>
          <Input
            required
            maxLength={100}
            autoFocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </Field>
        <Field label="Repository" hint="The address that you clone from." problem={problem?.of('repository')}>
          <Input
            required
            value={repository}
            placeholder="https://github.com/acme/docs.git"
            onChange={(event) => setRepository(event.currentTarget.value)}
          />
        </Field>
        <Field label="Base branch" hint="Empty: the default branch of the repository." problem={problem?.of('branch')}>
          <Input value={branch} placeholder="main" onChange={(event) => setBranch(event.currentTarget.value)} />
        </Field>
        {create.isError && problem?.details.length === 0 && <Refused error={create.error} />}
        <div>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Create the project
          </Button>
        </div>
      </form>
    </>
  )
}
