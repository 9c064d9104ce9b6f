// Leads through the first run, step by step. The step is in the address, so a reload stays on it; each one can be skipped and
// found again.

import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { buttonStyle } from '../../../ui/button.tsx'
import { cn } from '../../../ui/cn.ts'
import { Refused, Skeleton } from '../../../ui/notice.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { JobStep } from './job-step.tsx'
import { KeyStep } from './key-step.tsx'
import { ModelStep } from './model-step.tsx'
import { type Progress, useProgress } from './progress.ts'
import { ProjectStep } from './project-step.tsx'
import type { StepProps } from './step-props.ts'
import { firstOpen, type Step, stepAfter, stepNames, steps } from './steps.ts'
import { VisitorsStep } from './visitors-step.tsx'

/** The address without a step leads to the first that is not done. */
export function GetStarted() {
  const { progress, error } = useProgress(undefined)
  if (error !== null) return <Refused error={error} />
  if (progress === undefined) return <Skeleton className="h-64" />
  const step = firstOpen(progress.done) ?? 'job'
  return <Navigate to="/get-started/$step" params={{ step }} replace />
}

export function FirstRun() {
  const { step } = useParams({ from: '/shell/get-started/$step' })
  const { project: chosen } = useSearch({ from: '/shell/get-started/$step' })
  const { progress, error } = useProgress(chosen, true)
  return (
    <>
      <PageHead title="Get started" about="From the repository to the first job. Skip what you do not need now." />
      {error !== null && <Refused error={error} />}
      {progress === undefined && error === null && <Skeleton className="h-64" />}
      {progress && (
        <div className="grid gap-6 md:grid-cols-[13rem_minmax(0,1fr)]">
          <Steps current={step} progress={progress} />
          <Content key={step} step={step} progress={progress} />
        </div>
      )}
    </>
  )
}

type Props = { readonly current: Step; readonly progress: Progress }

function Steps({ current, progress: { done, project } }: Props) {
  return (
    <nav aria-label="Steps">
      <ol className="flex flex-wrap gap-1 max-md:-mx-2 md:flex-col">
        {steps.map((step, at) => (
          <li key={step}>
            <Link
              to="/get-started/$step"
              params={{ step }}
              search={project ? { project: project.id } : {}}
              aria-current={step === current ? 'step' : undefined}
              className="flex items-center gap-2 rounded-md px-2 py-1.5 text-muted hover:bg-sunken hover:text-text aria-[current]:bg-accent-soft aria-[current]:text-accent"
            >
              <span
                aria-hidden
                className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${done[step] ? 'bg-good-soft text-good' : 'border border-strong-line'}`}
              >
                {done[step] ? '✓' : at + 1}
              </span>
              {stepNames[step]}
              {done[step] && <span className="sr-only">, done</span>}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}

const contents: Readonly<Record<Exclude<Step, 'project'>, (props: StepProps) => ReactElement>> = {
  model: ModelStep,
  key: KeyStep,
  visitors: VisitorsStep,
  job: JobStep,
}

function Content({ step, progress: { project, done } }: { readonly step: Step; readonly progress: Progress }) {
  const navigate = useNavigate()
  const go = (to: Step | undefined, projectId = project?.id) =>
    void (to === undefined
      ? navigate({ to: '/' })
      : navigate({
          to: '/get-started/$step',
          params: { step: to },
          search: projectId === undefined ? {} : { project: projectId },
        }))
  const next = stepAfter(step)
  const skip = (
    <Link
      to={next === undefined ? '/' : '/get-started/$step'}
      params={{ step: next ?? step }}
      search={project && next !== undefined ? { project: project.id } : {}}
      className={cn(buttonStyle({ kind: 'quiet', size: 'small' }), '-ml-2.5')}
    >
      {next === undefined ? 'Go to the start page' : 'Skip this step'}
    </Link>
  )
  return (
    <div className="flex max-w-2xl min-w-0 flex-col gap-6">
      {step === 'project' || project === undefined ? (
        <ProjectStep
          project={project}
          onCreated={({ id }) => go('project', id)}
          onNext={() => go(stepAfter('project'))}
          isNeeded={step !== 'project'}
        />
      ) : (
        <Chosen step={step} project={project} isDone={done[step]} onNext={() => go(next)} />
      )}
      {(!done[step] || next === undefined) && <div className="border-t border-line pt-4">{skip}</div>}
    </div>
  )
}

function Chosen({ step, ...props }: StepProps & { readonly step: Exclude<Step, 'project'> }) {
  const Chosen = contents[step]
  return <Chosen {...props} />
}
