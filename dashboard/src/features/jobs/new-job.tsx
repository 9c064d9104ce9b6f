// Starts a job: one instruction, with examples that the project's model understands.

import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { modelsQuery } from '../../api/models.ts'
import { createRequestKey } from '../../api/job/request-key.ts'
import { createJob } from '../../api/jobs.ts'
import { Problem } from '../../api/problem.ts'
import { creditOf, sessionQuery } from '../../api/people/session.ts'
import { projectQuery } from '../../api/projects.ts'
import { queries } from '../../api/queries.ts'
import { brokenLinksQuery } from '../../api/visitors.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { promptFor } from './broken-page.ts'
import { builtInModel, type Example, examplesFor, placeOf } from './examples.ts'
import { type Options, OptionFields } from './option-fields.tsx'

export function NewJob() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/jobs/new' })
  const navigate = useNavigate()
  const [written, setWritten] = useState<string>()
  const found = useBrokenPage(projectId)
  const prompt = written ?? found.prompt
  const [options, setOptions] = useState<Options>({ model: '', branch: '', draft: 'project' })
  const key = useRef(createRequestKey())
  const create = useMutation({
    mutationFn: () => createJob(projectId, toBody(prompt, options), key.current),
    onSuccess: async (job) => {
      void queries.invalidateQueries({ queryKey: ['jobs', projectId] })
      await navigate({ to: '/projects/$projectId/jobs/$jobId', params: { projectId, jobId: job.id } })
    },
    // Another body needs another key, and after a refusal the person changes something.
    onError: () => (key.current = createRequestKey()),
  })
  const problem = create.error instanceof Problem ? create.error : undefined
  return (
    <>
      <PageHead title="New job" about="The agent edits the documentation and opens a pull request, which you review." />
      {found.failed}
      <form
        className="flex max-w-2xl flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!create.isPending) create.mutate()
        }}
      >
        <Prompt
          projectId={projectId}
          chosen={options.model}
          prompt={prompt}
          onChange={setWritten}
          problem={problem?.of('prompt')}
        />
        <OptionFields projectId={projectId} options={options} onChange={setOptions} problem={problem?.of('branch')} />
        <Credit projectId={projectId} />
        {create.isError && (problem?.details.length ?? 0) === 0 && <Refused error={create.error} />}
        <div className="flex items-center gap-3">
          <Button type="submit" kind="primary" busy={create.isPending}>
            Start the job
          </Button>
          <span className="text-xs text-muted">Ctrl+Enter</span>
        </div>
      </form>
    </>
  )
}

/** The instruction about the broken page in the address; empty without one, and until its links are known. */
function useBrokenPage(projectId: string) {
  const { broken, ...range } = useSearch({ from: '/shell/projects/$projectId/jobs/new' })
  const asked = { reader: { projectId }, range: { dateFrom: '', dateTo: '', ...range }, filters: {}, grows: false }
  const found = useQuery({ ...brokenLinksQuery(asked, broken ?? ''), enabled: broken !== undefined })
  return {
    prompt: broken === undefined || found.data === undefined ? '' : promptFor(broken, found.data),
    failed: found.isError && <Refused error={found.error} retry={() => void found.refetch()} />,
  }
}

function Credit({ projectId }: { readonly projectId: string }) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  const { data: session } = useSuspenseQuery(sessionQuery)
  const credit = creditOf(session, project)
  return credit !== undefined && <p className="text-sm break-words text-muted">{credit}</p>
}

function toBody(prompt: string, { model, branch, draft, context }: Options) {
  return {
    prompt,
    ...(model === '' ? {} : { model }),
    ...(branch.trim() === '' ? {} : { branch: branch.trim() }),
    ...(draft === 'project' ? {} : { draft: draft === 'draft' }),
    ...(context === undefined ? {} : { context }),
  }
}

type PromptProps = {
  readonly projectId: string
  /** The model that the options name; empty for that of the project. */
  readonly chosen: string
  readonly prompt: string
  readonly onChange: (prompt: string) => void
  readonly problem: string | undefined
}

function Prompt({ projectId, chosen, prompt, onChange, problem }: PromptProps) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  const models = useQuery({ ...modelsQuery, enabled: project.model === null })
  const usual = project.model ?? models.data?.find(({ isDefault }) => isDefault)?.id
  const model = chosen === '' ? usual : chosen
  const area = useRef<HTMLTextAreaElement>(null)
  const choose = (example: Example) => {
    onChange(example.prompt)
    // The place to fill in is selected, so that typing replaces it.
    requestAnimationFrame(() => {
      area.current?.focus()
      area.current?.setSelectionRange(...placeOf(example.prompt))
    })
  }
  return (
    <>
      <Field label="Instruction" problem={problem} hint={hintFor(model)}>
        <TextArea
          ref={area}
          required
          maxLength={50_000}
          className="min-h-40"
          value={prompt}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) event.currentTarget.form?.requestSubmit()
          }}
        />
      </Field>
      <div role="group" aria-label="Examples" className="flex min-h-7 flex-wrap items-center gap-2">
        {model !== undefined &&
          examplesFor(model).map((example) => (
            <Button key={example.label} size="small" title={example.prompt} onClick={() => choose(example)}>
              {example.label}
            </Button>
          ))}
      </div>
    </>
  )
}

function hintFor(model: string | undefined): string | undefined {
  if (model === undefined) return undefined
  if (model !== builtInModel) return `${model} works on it.`
  return 'This project uses the built-in model, which needs no key and understands instructions like the examples. For any other, an admin chooses a language model in the settings of the project.'
}
