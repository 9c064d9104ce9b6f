// The step of the model: the built-in one, or a provider whose key is tested with one token, and what a run may cost.

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { builtIn, modelKeysQuery, providerNames } from '../../../api/models.ts'
import { Problem } from '../../../api/problem.ts'
import { type Project, updateProject } from '../../../api/projects.ts'
import { Button } from '../../../ui/button.tsx'
import { Choices } from '../../../ui/form/choice.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { ModelField } from '../models/model-field.tsx'
import { ModelKeyForm } from '../models/model-key-form.tsx'
import { fromNumber, numberPattern, toNumber } from '../../../ui/form/drafts.ts'
import type { StepProps } from './step-props.ts'

const choices = [
  {
    value: 'built-in',
    label: 'The built-in model',
    hint: 'Not a language model: it renames, replaces, moves, deletes and fixes links, for free and offline.',
  },
  { value: 'provider', label: 'A language model', hint: 'Does what you describe, with your own key of a provider.' },
] as const

type Way = (typeof choices)[number]['value']

export function ModelStep({ project, onNext }: StepProps) {
  const { data: keys = [] } = useQuery(modelKeysQuery)
  const [way, setWay] = useState<Way>(project.model === builtIn ? 'built-in' : 'provider')
  return (
    <section className="flex flex-col gap-4">
      <div>
        <h2 className="text-lg font-semibold">Choose the model</h2>
        <p className="text-muted">It edits the pages. You can change it at any time.</p>
      </div>
      <Choices legend="Model" value={way} choices={choices} onChange={setWay} />
      {way === 'built-in' && <Limits project={project} model={builtIn} onNext={onNext} />}
      {way === 'provider' && (
        <Provider project={project} known={keys.map(({ provider }) => provider)} onNext={onNext} />
      )}
    </section>
  )
}

type ProviderProps = Pick<StepProps, 'project' | 'onNext'> & { readonly known: readonly (keyof typeof providerNames)[] }

/** First the key, then the model and the limit. */
function Provider({ project, known, onNext }: ProviderProps) {
  const [tested, setTested] = useState<string>()
  const [isAdding, setIsAdding] = useState(false)
  const [first] = known
  if (tested !== undefined) return <Limits project={project} model={tested} onNext={onNext} />
  if (first !== undefined && !isAdding) {
    return (
      <>
        <p className="text-sm text-muted">
          This service has a key of {known.map((one) => providerNames[one]).join(', ')}.{' '}
          <button
            type="button"
            className="cursor-pointer text-accent underline underline-offset-2"
            onClick={() => setIsAdding(true)}
          >
            Enter another key
          </button>
        </p>
        <Limits project={project} model={project.model === builtIn ? '' : (project.model ?? '')} onNext={onNext} />
      </>
    )
  }
  return <ModelKeyForm doneLabel="Use this model" onDone={({ model }) => setTested(model)} />
}

type LimitsProps = { readonly project: Project; readonly model: string; readonly onNext: () => void }

/** Saves the model with the cost limit of a run, which the built-in one does not need. */
function Limits({ project, model: offered, onNext }: LimitsProps) {
  const [model, setModel] = useState(offered)
  const [cost, setCost] = useState(fromNumber(project.budget.costUsd))
  const isFree = offered === builtIn
  const save = useMutation({
    mutationFn: () =>
      updateProject(project.id, {
        model: isFree ? builtIn : model.trim() || null,
        ...(isFree ? {} : { budget: { costUsd: toNumber(cost) } }),
      }),
    onSuccess: onNext,
  })
  const problem = save.error instanceof Problem ? save.error : undefined
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      {!isFree && (
        <div className="grid gap-4 sm:grid-cols-2">
          <ModelField
            required
            hint="As provider/model."
            problem={problem?.of('model')}
            value={model}
            onChange={setModel}
          />
          <Field
            label="A run may cost, in US dollars"
            hint="Empty: the limit of the service."
            problem={problem?.of('budget/costUsd')}
          >
            <Input
              inputMode="decimal"
              pattern={numberPattern}
              title="A number"
              placeholder="2.00"
              value={cost}
              onChange={(event) => setCost(event.currentTarget.value)}
            />
          </Field>
        </div>
      )}
      {save.isError && (problem?.details.length ?? 0) === 0 && <Refused error={save.error} />}
      <div>
        <Button type="submit" kind="primary" busy={save.isPending}>
          Continue
        </Button>
      </div>
    </form>
  )
}
