// Stores the key of a provider and tests it with one token, so that a wrong one is noticed now and not in a job.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  checkModelKey,
  type ModelKeyCheck,
  type Provider,
  providerNames,
  providers,
  putModelKey,
} from '../../../api/models.ts'
import { Problem } from '../../../api/problem.ts'
import { Button } from '../../../ui/button.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { Field, Input } from '../../../ui/form/field.tsx'
import { Refused } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/form/select.tsx'

/** Where a key is created. */
const consoles: Readonly<Record<Exclude<Provider, 'compatible'>, string>> = {
  anthropic: 'https://console.anthropic.com/settings/keys',
  openai: 'https://platform.openai.com/api-keys',
  google: 'https://aistudio.google.com/apikey',
}

type Props = {
  /** Undefined: the person chooses. */
  readonly provider?: Provider
  readonly onDone: (check: ModelKeyCheck) => void
  readonly doneLabel?: string
}

export function ModelKeyForm({ provider: fixed, onDone, doneLabel = 'Done' }: Props) {
  const [provider, setProvider] = useState<Provider>(fixed ?? 'anthropic')
  const [apiKey, setApiKey] = useState('')
  const [baseUrl, setBaseUrl] = useState('')
  const [model, setModel] = useState('')
  const isOwn = provider === 'compatible'
  const save = useMutation({
    mutationFn: async () => {
      await putModelKey(provider, { apiKey: apiKey === '' ? null : apiKey, baseUrl: baseUrl === '' ? null : baseUrl })
      return checkModelKey(provider, isOwn ? `compatible/${model.trim()}` : undefined)
    },
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
      {fixed === undefined && (
        <ProviderChoice
          provider={provider}
          onChange={(chosen) => {
            setProvider(chosen)
            save.reset()
          }}
        />
      )}
      {isOwn && <OwnServer {...{ baseUrl, setBaseUrl, model, setModel, problem }} />}
      <Field
        label={isOwn ? 'Key, if the server needs one' : 'Key'}
        hint={isOwn ? undefined : <ExternalLink href={consoles[provider]}>Create one</ExternalLink>}
        problem={problem?.of('apiKey')}
      >
        <Input
          type="password"
          autoComplete="off"
          required={!isOwn}
          value={apiKey}
          onChange={(event) => setApiKey(event.currentTarget.value.trim())}
        />
      </Field>
      {save.isError && problem?.details.length === 0 && <Refused error={save.error} />}
      {save.isSuccess && <CheckResult check={save.data} />}
      <div>
        {save.data !== undefined && save.data.problem === null ? (
          <Button kind="primary" onClick={() => onDone(save.data)}>
            {doneLabel}
          </Button>
        ) : (
          <Button type="submit" kind="primary" busy={save.isPending}>
            {save.isPending ? 'Testing …' : 'Save and test with one token'}
          </Button>
        )}
      </div>
    </form>
  )
}

type ChoiceProps = { readonly provider: Provider; readonly onChange: (provider: Provider) => void }

function ProviderChoice({ provider, onChange }: ChoiceProps) {
  return (
    <Field label="Provider">
      <Select
        name="Provider"
        value={provider}
        options={providers.map((value) => ({ value, label: providerNames[value] }))}
        onChange={onChange}
      />
    </Field>
  )
}

type OwnProps = {
  readonly baseUrl: string
  readonly setBaseUrl: (text: string) => void
  readonly model: string
  readonly setModel: (text: string) => void
  readonly problem: Problem | undefined
}

function OwnServer({ baseUrl, setBaseUrl, model, setModel, problem }: OwnProps) {
  return (
    <>
      <Field label="Address" hint="Where /chat/completions is below." problem={problem?.of('baseUrl')}>
        <Input
          type="url"
          required
          value={baseUrl}
          placeholder="https://models.example.com/v1"
          onChange={(event) => setBaseUrl(event.currentTarget.value)}
        />
      </Field>
      <Field label="Model" hint="The name that the server gives it; used for the test." problem={problem?.of('model')}>
        <Input required spellCheck={false} value={model} onChange={(event) => setModel(event.currentTarget.value)} />
      </Field>
    </>
  )
}

/** Announced when it appears. */
export function CheckResult({
  check: { model, problem, inputTokens, outputTokens },
}: {
  readonly check: ModelKeyCheck
}) {
  return problem === null ? (
    <p role="status" className="mt-1 text-sm text-good">
      {model} responded: {inputTokens} tokens in, {outputTokens} out.
    </p>
  ) : (
    <p role="alert" className="mt-1 text-sm text-bad">
      {model} did not respond: {problem}
    </p>
  )
}
