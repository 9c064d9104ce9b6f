// A message to the agent: it continues where the job left off, on the same pull request while that is open.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Job, jobQuery, sendMessage } from '../../api/jobs.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { Refused } from '../../ui/notice.tsx'

export function FollowUp({ job, projectId }: { readonly job: Job; readonly projectId: string }) {
  const [prompt, setPrompt] = useState('')
  const send = useMutation({
    mutationFn: () => sendMessage(projectId, job.id, prompt),
    onSuccess: async (changed) => {
      setPrompt('')
      queries.setQueryData(jobQuery(projectId, job.id).queryKey, changed)
      await queries.invalidateQueries({ queryKey: ['job', projectId, job.id, 'messages'] })
    },
  })
  return (
    <form
      className="mt-6 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        send.mutate()
      }}
    >
      <Field
        label="Message to the agent"
        hint={
          job.status === 'active'
            ? 'The agent reads it before its next turn.'
            : 'The agent continues where the job left off.'
        }
      >
        <TextArea
          required
          maxLength={50_000}
          value={prompt}
          onChange={(event) => setPrompt(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
      </Field>
      {send.isError && <Refused error={send.error} />}
      <div>
        <Button type="submit" kind="primary" busy={send.isPending}>
          Send
        </Button>
      </div>
    </form>
  )
}
