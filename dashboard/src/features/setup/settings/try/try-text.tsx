// A test of one text against the stored policy.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type FileVerdict, testText } from '../../../../api/projects.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field, Input, TextArea } from '../../../../ui/form/field.tsx'
import { Refused } from '../../../../ui/notice.tsx'
import { Card } from '../form.tsx'
import { Verdict } from './verdict.tsx'

type Props = { readonly projectId: string; readonly isChanged: boolean }

export function TryText({ projectId, isChanged }: Props) {
  const [path, setPath] = useState('docs/index.md')
  const [text, setText] = useState('')
  const test = useMutation({ mutationFn: () => testText(projectId, { path, text }) })
  return (
    <Card title="Try a text" about="What would a job get that writes this text into a file?">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          test.mutate()
        }}
      >
        <Field label="Path" hint={isChanged ? 'Judged by what is saved: save your changes first.' : undefined}>
          <Input required spellCheck={false} value={path} onChange={(event) => setPath(event.currentTarget.value)} />
        </Field>
        <Field label="Text" hint="The whole file, as it would be after the change.">
          <TextArea
            required
            rows={6}
            spellCheck={false}
            className="min-h-32 font-mono text-sm"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        {test.isError && <Refused error={test.error} />}
        {test.isSuccess && test.data.verdict && (
          <div role="status" className="flex flex-col gap-2">
            <div className="rounded-md border border-line px-3 py-2">
              <Reasons verdict={test.data.verdict} />
            </div>
            {test.data.basis && <p className="text-sm text-muted">This rests on: {test.data.basis.message}</p>}
          </div>
        )}
        <div>
          <Button type="submit" busy={test.isPending}>
            Try the text
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Reasons({ verdict }: { readonly verdict: FileVerdict }) {
  const { path, result, line, message, findings, hosts, more } = verdict
  const lines = [
    atLine(line, message),
    ...findings.slice(1).map((one) => atLine(one.line, one.message)),
    ...hosts.map((one) => atLine(one.line, `leads to ${one.host}`)),
    ...(more === 0 ? [] : [`and ${more} more`]),
  ]
  return (
    <Verdict path={path} result={result}>
      {lines.map((one, at) => (
        // eslint-disable-next-line no-array-index-key -- two lines may say the same
        <span key={`${at} ${one}`} className="block break-words">
          {one}
        </span>
      ))}
    </Verdict>
  )
}

function atLine(line: number | null, message: string): string {
  return line === null ? message : `line ${line} ${message}`
}
