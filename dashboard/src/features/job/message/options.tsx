// The choices of a message: the model from its next turn on, the sources from the next run on and, where it starts a new branch, the
// base and the draft.

import { useQuery } from '@tanstack/react-query'
import type { Job, NewMessage } from '../../../api/jobs.ts'
import { modelChoices, modelsQuery } from '../../../api/models.ts'
import type { Project } from '../../../api/projects.ts'
import { sourcesQuery } from '../../../api/project/sources.ts'
import { Checklist } from '../../../ui/form/checklist.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Select } from '../../../ui/form/select.tsx'

export type MessageOptions = {
  /** Empty: as before. */
  readonly model: string
  readonly branch: string
  readonly draft: 'before' | 'draft' | 'ready'
  /** The names of the sources that the job needs. Undefined: as before. */
  readonly context?: string[] | undefined
}

export const noOptions: MessageOptions = { model: '', branch: '', draft: 'before' }

const drafts = [
  { value: 'before', label: 'As before' },
  { value: 'draft', label: 'Draft' },
  { value: 'ready', label: 'Ready for review' },
] as const

export function toMessage(prompt: string, { model, branch, draft, context }: MessageOptions): NewMessage {
  return {
    prompt,
    ...(model === '' ? {} : { model }),
    ...(branch.trim() === '' ? {} : { branch: branch.trim() }),
    ...(draft === 'before' ? {} : { draft: draft === 'draft' }),
    ...(context === undefined ? {} : { context }),
  }
}

type Props = {
  readonly projectId: string
  readonly job: Job
  /** Undefined until it is loaded. */
  readonly project: Project | undefined
  readonly options: MessageOptions
  readonly onChange: (options: MessageOptions) => void
}

export function MessageOptionFields({ projectId, job, project, options, onChange }: Props) {
  const models = useQuery({ ...modelsQuery, enabled: project?.model === null && project.models.length > 0 })
  const { data: sources = [] } = useQuery(sourcesQuery(projectId))
  if (project === undefined) return null
  const serviceModel = models.data?.find(({ isDefault }) => isDefault)?.id
  const startsBranch = job.status !== 'active' && job.pullRequest !== null && job.pullRequest.state !== 'open'
  const choosesModel = project.models.length > 0
  if (!startsBranch && !choosesModel && sources.length === 0) return null
  return (
    <details className="mt-2 text-sm">
      <summary className="cursor-pointer text-xs text-muted hover:text-text">Options</summary>
      <div className="mt-2 grid gap-3 sm:grid-cols-3">
        {choosesModel && (
          <div className="flex flex-col gap-1">
            <span className="font-medium">Model</span>
            <Select
              name="Model"
              value={options.model}
              options={modelChoices(project, `As before: ${job.model}`, serviceModel)}
              onChange={(model) => onChange({ ...options, model })}
            />
          </div>
        )}
        {startsBranch && (
          <>
            <Field label="Base branch">
              <Input
                value={options.branch}
                placeholder="As before"
                onChange={(event) => onChange({ ...options, branch: event.currentTarget.value })}
              />
            </Field>
            <Field label="Pull request" hint="On a forge, such as GitHub.">
              <Select value={options.draft} options={drafts} onChange={(draft) => onChange({ ...options, draft })} />
            </Field>
          </>
        )}
        {sources.length > 0 && (
          <div className="sm:col-span-3">
            <Checklist
              legend="Sources that the job needs"
              hint="From the next run on. If one that you choose cannot be read, the run fails."
              names={sources.map(({ name }) => name)}
              chosen={
                new Set(options.context ?? (job.sources.length > 0 ? job.sources : sources).map(({ name }) => name))
              }
              onChange={(context) => onChange({ ...options, context })}
            />
          </div>
        )}
      </div>
    </details>
  )
}
