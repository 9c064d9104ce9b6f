// The settings that a job may have different from its project, folded away because most jobs don't.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { projectQuery } from '../../api/projects.ts'
import { sourcesQuery } from '../../api/project/sources.ts'
import { Checklist } from '../../ui/form/checklist.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { modelChoices } from '../../api/models.ts'

/** `model`: empty for that of the project. `context`: the names of the sources that the job needs, or undefined if it needs all. */
export type Options = {
  readonly model: string
  readonly branch: string
  readonly draft: 'project' | 'draft' | 'ready'
  readonly context?: string[] | undefined
}

type Props = {
  readonly projectId: string
  readonly options: Options
  readonly onChange: (options: Options) => void
  /** Says why the branch is refused. */
  readonly problem: string | undefined
}

export function OptionFields({ projectId, options, onChange, problem }: Props) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId))
  const usual = project.pullRequest.draft ? 'draft' : 'ready for review'
  const drafts = [
    { value: 'project', label: `As in the project: ${usual}` },
    { value: 'draft', label: 'Draft' },
    { value: 'ready', label: 'Ready for review' },
  ] as const
  return (
    <details className="rounded-lg border border-line">
      <summary className="cursor-pointer px-4 py-2 text-sm text-muted hover:text-text">Options</summary>
      <div className="grid gap-4 border-t border-line p-4 sm:grid-cols-2">
        {project.models.length > 0 && (
          <div className="flex flex-col gap-1 sm:col-span-2">
            <span className="text-sm font-medium">Model</span>
            <Select
              name="Model"
              value={options.model}
              options={modelChoices(project, 'As in the project')}
              onChange={(model) => onChange({ ...options, model })}
            />
          </div>
        )}
        <Field label="Base branch" problem={problem} hint="The job starts from it, and its pull request goes into it.">
          <Input
            value={options.branch}
            placeholder={project.branch ?? 'The default branch of the repository'}
            onChange={(event) => onChange({ ...options, branch: event.currentTarget.value })}
          />
        </Field>
        <Field label="Pull request" hint="On a forge, such as GitHub.">
          <Select value={options.draft} options={drafts} onChange={(draft) => onChange({ ...options, draft })} />
        </Field>
        <NeededSources
          projectId={projectId}
          chosen={options.context}
          onChange={(context) => onChange({ ...options, context })}
        />
      </div>
    </details>
  )
}

type NeededProps = {
  readonly projectId: string
  readonly chosen: readonly string[] | undefined
  readonly onChange: (context: string[]) => void
}

/** Nothing for a project without sources. */
function NeededSources({ projectId, chosen, onChange }: NeededProps) {
  const { data: sources = [] } = useQuery(sourcesQuery(projectId))
  if (sources.length === 0) return undefined
  const names = sources.map(({ name }) => name)
  return (
    <div className="min-w-0 sm:col-span-2">
      <Checklist
        legend="Sources that the job needs"
        hint="If one that you choose cannot be read, the job fails."
        names={names}
        chosen={new Set(chosen ?? names)}
        onChange={onChange}
      />
    </div>
  )
}
