// Shows one pull request: its state, its change, its comments, and the actions.

import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { jobQuery } from '../../api/jobs.ts'
import { builtIn } from '../../api/models.ts'
import {
  commentsQuery,
  pullDiffQuery,
  type PullNow,
  pullPreviewQuery,
  pullQuery,
  pullTextQuery,
} from '../../api/pulls.ts'
import { may, sessionQuery } from '../../api/people/session.ts'
import type { ChangedFile, Place } from '../../diff/lines/rows.ts'
import { FilePreview } from '../../preview/file-preview.tsx'
import { FramedText } from '../../preview/framed-text.tsx'
import { ReviewedChange } from '../../review/reviewed-change.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Actions } from './actions.tsx'
import { Behind } from './behind.tsx'
import { groupByLine } from './by-line.ts'
import { JobFacts } from './facts.tsx'
import { LastRun } from './last-run.tsx'
import { Readers } from './readers.tsx'
import { PullBadge } from './state.tsx'
import { Comment, CommentThread } from './comments.tsx'

const from = '/shell/projects/$projectId/pulls/$number'

export function PullPage() {
  const { projectId, number } = useParams({ from })
  const pull = useQuery(pullQuery(projectId, Number(number)))
  if (pull.isPending) return <Skeleton className="h-96" />
  // The frame says that there is no such pull request.
  if (pull.data === undefined) throw pull.error
  return (
    <>
      <PageHead
        title={`${pull.data.title} #${pull.data.number}`}
        about={<About pull={pull.data} projectId={projectId} />}
        actions={<Actions pull={pull.data} projectId={projectId} />}
      />
      <Behind pull={pull.data} projectId={projectId} />
      <Readers pull={pull.data} projectId={projectId} />
      {textOf(pull.data) !== '' && (
        <FramedText title="Description" query={pullTextQuery(projectId, pull.data.number, pull.data.body)} />
      )}
      <Change pull={pull.data} projectId={projectId} />
    </>
  )
}

/** The agent's text: the checks above the diff say what the note says. */
function textOf({ body, note }: PullNow): string {
  return (body.startsWith(note) ? body.slice(note.length) : body).trim()
}

type Props = { readonly pull: PullNow; readonly projectId: string }

function About({ pull, projectId }: Props) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <PullBadge pull={pull} />
      <span className="break-all">
        <code className="font-mono">{pull.branch}</code> <span aria-label="into">→</span>{' '}
        <code className="font-mono">{pull.base}</code>
      </span>
      <span aria-hidden>·</span>
      <Link
        to="/projects/$projectId/jobs/$jobId"
        params={{ projectId, jobId: pull.jobId }}
        className="text-accent underline"
      >
        Job
      </Link>
      <span aria-hidden>·</span>
      <span>
        updated <RelativeTime at={pull.updatedAt} />
      </span>
    </span>
  )
}

function Change({ pull, projectId }: Props) {
  const session = useQuery(sessionQuery)
  const diff = useQuery(pullDiffQuery(projectId, pull.number, pull.headCommit))
  // After the change, which is what people come for.
  const job = useQuery({ ...jobQuery(projectId, pull.jobId), enabled: diff.isSuccess })
  const comments = useQuery(commentsQuery(projectId, pull.number))
  const mayWrite = may(session.data, 'editor') && pull.state === 'open' && pull.forge === 'docent'
  const mayComment = mayWrite && job.data !== undefined && job.data.model !== builtIn
  const commentsByLine = useMemo(() => groupByLine(diff.data ?? [], comments.data ?? []), [diff.data, comments.data])
  const preview = useCallback(
    (file: ChangedFile) => <FilePreview file={file} queryOf={(one) => pullPreviewQuery(pull, projectId, one)} />,
    [pull, projectId],
  )
  const lineComments = useMemo(
    () => ({
      places: new Set(commentsByLine.shown.keys()),
      mayWrite: mayComment,
      render: (place: Place, close: (() => void) | undefined) => (
        <CommentThread line={place} commentsByLine={commentsByLine} pull={pull} projectId={projectId} close={close} />
      ),
    }),
    [commentsByLine, mayComment, pull, projectId],
  )
  if (diff.isPending) return <Skeleton className="h-80" />
  if (diff.isError) return <Refused error={diff.error} retry={() => void diff.refetch()} />
  return (
    <>
      {job.data && pull.state === 'open' && <LastRun job={job.data} projectId={projectId} />}
      {job.data && <JobFacts job={job.data} projectId={projectId} />}
      {commentsByLine.earlier.length > 0 && (
        <details className="mb-4 rounded-lg border border-line px-4 py-2">
          <summary className="cursor-pointer text-sm text-muted">
            {commentsByLine.earlier.length} {commentsByLine.earlier.length === 1 ? 'comment' : 'comments'} on lines that
            have changed since
          </summary>
          {commentsByLine.earlier.map((comment) => (
            <Comment key={comment.id} comment={comment} withLine />
          ))}
        </details>
      )}
      <ReviewedChange
        projectId={projectId}
        job={job.data && job.data.pullRequest?.number !== pull.number ? null : job.data}
        files={diff.data}
        preview={preview}
        comments={lineComments}
        hint={
          mayWrite &&
          job.data && (
            <p className="mb-1 text-sm text-muted">
              {mayComment
                ? 'Choose the number of a line to comment on it. The agent gets your comment.'
                : 'The built-in model cannot respond to comments on lines: send the job a message, or use another model.'}
            </p>
          )
        }
        empty={<Empty title="This pull request changes nothing" />}
      />
    </>
  )
}
