// Starts a job: one instruction, with examples that work.

import { useMutation } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { createJob } from '../../api/jobs.ts'
import { Problem } from '../../api/problem.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'

/** The built-in model understands these, too. */
const examples = [
  'Rename "Acme CLI" to "Acme Command"',
  'Fix the broken links',
  'Replace "log in" with "sign in" in all pages',
] as const

export function NewJob() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/jobs/new' })
  const navigate = useNavigate()
  const [prompt, setPrompt] = useState('')
  const create = useMutation({
    mutationFn: () => createJob(projectId, prompt),
    onSuccess: async (job) => {
      await queries.invalidateQueries({ queryKey: ['jobs', projectId] })
      await navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId: job.id } })
    },
  })
  const problem = create.error instanceof Problem ? create.error : undefined
  return (
    <>
      <PageHead title="New job" about="The agent edits the documentation and opens a pull request. You review it." />
      <form
        className="flex max-w-2xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        <Field label="Instruction" problem={problem?.of('prompt')}>
          <TextArea
            required
            autoFocus
            maxLength={50_000}
            className="min-h-40"
            value={prompt}
            onChange={(event) => setPrompt(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
            }}
          />
        </Field>
        <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
          Examples:
          {examples.map((example) => (
            <Button key={example} size="small" onClick={() => setPrompt(example)}>
              {example}
            </Button>
          ))}
        </div>
        {problem?.details.length === 0 && <Refused error={problem} />}
        <div>
          <Button type="submit" kind="primary" busy={create.isPending}>
            Start the job
          </Button>
        </div>
      </form>
    </>
  )
}
