// Shows the comments on a line, and the form for another comment. The agent gets each comment as a message.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { addComment, commentsQuery, type Pull, type PullComment } from '../../api/pulls.ts'
import { queries } from '../../api/queries.ts'
import { type Place, placeKey } from '../../diff/lines/rows.ts'
import { visible } from '../../diff/lines/segments.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextArea } from '../../ui/form/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { CommentsByLine } from './by-line.ts'

type Props = {
  readonly line: Place
  readonly commentsByLine: CommentsByLine
  readonly pull: Pull
  readonly projectId: string
  /** Closes the comment form. Undefined while the form is not open. */
  readonly close: (() => void) | undefined
}

export function CommentThread({ line, commentsByLine, pull, projectId, close }: Props) {
  const comments = commentsByLine.shown.get(placeKey(line)) ?? []
  return (
    <div className="border-y border-line bg-raised px-4 py-2 font-sans text-[0.9375rem]/6">
      {comments.map((comment) => (
        <Comment key={comment.id} comment={comment} />
      ))}
      {close && <CommentForm line={line} pull={pull} projectId={projectId} close={close} />}
    </div>
  )
}

const stateWords: Readonly<Record<PullComment['state'], string>> = {
  waiting: 'Waiting to be sent',
  working: 'The agent is at work on it',
  done: 'The agent has worked on it',
  failed: 'The run failed: nothing came of it',
}

export function Comment({ comment, withLine = false }: { readonly comment: PullComment; readonly withLine?: boolean }) {
  const { author, createdAt, state, text, path, line, quote } = comment
  return (
    <article className="py-2">
      <p className="flex flex-wrap gap-x-2 text-sm text-muted">
        <span className="font-medium text-text">{author}</span>
        <RelativeTime at={createdAt} />
        <span className={state === 'failed' ? 'text-bad' : ''}>{stateWords[state]}</span>
      </p>
      {withLine && (
        <p className="mt-1 truncate font-mono text-[0.8125rem] text-muted">
          {visible(path)}:{line} {visible(quote)}
        </p>
      )}
      <p className="max-w-prose whitespace-pre-wrap">{text}</p>
    </article>
  )
}

type FormProps = { readonly line: Place; readonly pull: Pull; readonly projectId: string; readonly close: () => void }

function CommentForm({ line, pull, projectId, close }: FormProps) {
  const [text, setText] = useState('')
  const send = useMutation({
    mutationFn: () => addComment(projectId, pull.number, { ...line, text }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: commentsQuery(projectId, pull.number).queryKey })
      await queries.invalidateQueries({ queryKey: ['jobs', projectId] })
      close()
    },
  })
  return (
    <form
      className="flex max-w-prose flex-col gap-2 py-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '' && !send.isPending) send.mutate()
      }}
    >
      <Field label={`Comment on line ${line.line}`}>
        {/* eslint-disable-next-line jsx-a11y/no-autofocus -- opened by the person to write in it */}
        <TextArea
          value={text}
          maxLength={10_000}
          autoFocus
          onKeyDown={(event) => {
            if (event.key === 'Escape' && text.trim() === '') close()
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
          }}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      {send.isError && <Refused error={send.error} />}
      <div className="flex gap-2">
        <Button kind="primary" size="small" type="submit" busy={send.isPending} disabled={text.trim() === ''}>
          Send to the agent
        </Button>
        <Button size="small" onClick={close}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
