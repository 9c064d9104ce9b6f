// A message to the agent: it continues where the job left off, on the same pull request while that is open. It stays in
// sight at the end of the window.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { createRequestKey } from '../../../api/job/request-key.ts'
import { type Job, jobQuery, sendMessage } from '../../../api/jobs.ts'
import { creditOf, sessionQuery } from '../../../api/people/session.ts'
import { projectQuery } from '../../../api/projects.ts'
import { queries } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { MessageOptionFields, noOptions, toMessage } from './options.tsx'

export function FollowUp({ job, projectId }: { readonly job: Job; readonly projectId: string }) {
  const [prompt, setPrompt] = useState('')
  const [options, setOptions] = useState(noOptions)
  const { data: project } = useQuery(projectQuery(projectId))
  const key = useRef(createRequestKey())
  const send = useMutation({
    mutationFn: () => sendMessage(projectId, job.id, toMessage(prompt, options), key.current),
    onSuccess: (changed) => {
      setPrompt('')
      setOptions(noOptions)
      key.current = createRequestKey()
      queries.setQueryData(jobQuery(projectId, job.id).queryKey, changed)
      // A message to an active job does not change the job.
      void queries.invalidateQueries({ queryKey: ['job', projectId, job.id, 'events'] })
    },
  })
  return (
    <form
      aria-label="Message to the agent"
      className="sticky bottom-0 z-10 mt-4 border-t border-line bg-ground py-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!send.isPending && prompt.trim() !== '') send.mutate()
      }}
    >
      {send.isError && (
        <div className="mb-2">
          <Refused error={send.error} />
        </div>
      )}
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <MessageBox
            asks={job.outcome === 'needs_input'}
            prompt={prompt}
            onChange={(text) => {
              setPrompt(text)
              key.current = createRequestKey()
            }}
          />
        </div>
        <Button type="submit" kind="primary" busy={send.isPending} disabled={prompt.trim() === ''}>
          Send
        </Button>
      </div>
      <MessageOptionFields
        projectId={projectId}
        job={job}
        project={project}
        options={options}
        onChange={(chosen) => {
          setOptions(chosen)
          key.current = createRequestKey()
        }}
      />
      <p className="mt-1 text-xs text-muted">
        {hintFor(job)} <Credit projectId={projectId} /> Ctrl+Enter sends it.
      </p>
    </form>
  )
}

type BoxProps = { readonly asks: boolean; readonly prompt: string; readonly onChange: (prompt: string) => void }

function MessageBox({ asks, prompt, onChange }: BoxProps) {
  return (
    <TextArea
      aria-label="Message to the agent"
      placeholder={asks ? 'Answer the question of the agent' : 'Send a message to the agent'}
      required
      rows={1}
      maxLength={50_000}
      className="block field-sizing-content max-h-60 min-h-9 resize-none"
      value={prompt}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
      }}
    />
  )
}

function Credit({ projectId }: { readonly projectId: string }) {
  const { data: session } = useQuery(sessionQuery)
  const { data: project } = useQuery(projectQuery(projectId))
  return project && creditOf(session, project)
}

function hintFor({ status, outcome, pullRequest }: Job): string {
  if (status === 'active') return 'The agent reads it before its next turn.'
  if (status === 'archived') return 'The job was archived because nobody used it. A message makes it active again.'
  if (outcome === 'needs_input') return 'The agent continues with the edits that it kept.'
  if (pullRequest?.state === 'open') return 'The agent continues on the same pull request.'
  return pullRequest === null ? 'The agent continues where the job left off.' : 'The agent opens a new pull request.'
}
