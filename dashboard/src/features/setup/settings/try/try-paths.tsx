// A test of paths against the stored policy.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type PathVerdict, testPaths } from '../../../../api/projects.ts'
import { Button } from '../../../../ui/button.tsx'
import { Field, TextArea } from '../../../../ui/form/field.tsx'
import { Refused } from '../../../../ui/notice.tsx'
import { toLines } from '../../../../ui/form/drafts.ts'
import { Card } from '../form.tsx'
import { Verdict } from './verdict.tsx'

type TesterProps = { readonly projectId: string; readonly isChanged: boolean }

export function TryPaths({ projectId, isChanged }: TesterProps) {
  const [text, setText] = useState('docs/index.md\ndocs/package.json\n.github/workflows/ci.yml')
  const test = useMutation({ mutationFn: () => testPaths(projectId, toLines(text)) })
  return (
    <Card title="Try paths" about="May a job create or change them, and which rule decides?">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          test.mutate()
        }}
      >
        <Field label="Paths" hint={isChanged ? 'Judged by what is saved: save your changes first.' : 'One a line.'}>
          <TextArea
            required
            spellCheck={false}
            className="min-h-20 font-mono text-sm"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        {test.isError && <Refused error={test.error} />}
        {test.isSuccess && <Verdicts verdicts={test.data} />}
        <div>
          <Button type="submit" busy={test.isPending}>
            Try
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Verdicts({ verdicts }: { readonly verdicts: readonly PathVerdict[] }) {
  return (
    <div role="status">
      <ul className="divide-y divide-line rounded-md border border-line">
        {verdicts.map(({ path, result, glob, message }, at) => (
          // eslint-disable-next-line no-array-index-key -- a path may be there twice
          <li key={`${at} ${path}`} className="px-3 py-2">
            <Verdict path={path} result={result}>
              {message}
              {glob !== null && (
                <>
                  {' '}
                  (<code className="font-mono">{glob}</code>)
                </>
              )}
            </Verdict>
          </li>
        ))}
      </ul>
    </div>
  )
}
