// Imports access logs of a project: files that the browser reads, or the command that does the same where the logs are.

import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { may, sessionQuery } from '../../api/people/session.ts'
import { sitesQuery } from '../../api/projects.ts'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Field, Input } from '../../ui/form/field.tsx'
import { Empty } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { AddressFields } from './address-fields.tsx'
import { FormatFields } from './format-fields.tsx'
import { Histories } from './histories.tsx'
import { LogResult, ProgressLine } from './results.tsx'
import { type State, useImport, type Wanted } from './use-import.ts'

export function ImportPage() {
  const { projectId } = useParams({ from: '/shell/projects/$projectId/visitors/import' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const sites = useQuery(sitesQuery(projectId))
  const needsHost = (sites.data?.length ?? 0) > 1
  return (
    <>
      <PageHead
        title="Import access logs"
        about="AI agents and crawlers run no scripts, so only the log of your server has them. A page view that was imported before counts once."
      />
      <div className="flex max-w-2xl flex-col gap-8">
        {may(session, 'editor') ? (
          sites.isPending || <FromFiles key={projectId} projectId={projectId} needsHost={needsHost} />
        ) : (
          <Empty title="You may not import logs">Ask an admin for the role “editor”.</Empty>
        )}
        <section aria-labelledby="command" className="flex flex-col gap-2">
          <h2 id="command" className="font-semibold">
            On the server
          </h2>
          <p className="text-muted">
            The command does the same where the logs are, also every night: it continues where it stopped.
          </p>
          <CopyBlock
            name="The command that imports a log"
            text={`docent analytics import access.log* --project ${projectId}${needsHost ? ' --host HOST' : ''}`}
          />
        </section>
        <Histories projectId={projectId} isAdmin={may(session, 'admin')} />
      </div>
    </>
  )
}

function FromFiles({ projectId, needsHost }: { readonly projectId: string; readonly needsHost: boolean }) {
  const { state, isRunning, start, stop } = useImport(projectId)
  const [wanted, setWanted] = useState<Wanted>({
    files: [],
    format: '',
    fields: '',
    timeZone: '',
    host: '',
    fromStart: false,
    address: { from: 'unsaid', field: '', hops: '1' },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isRunning && wanted.files.length > 0)
      start({ ...wanted, host: wanted.host.trim(), format: wanted.format.trim() })
  }
  return (
    <section aria-labelledby="files" className="flex flex-col gap-4">
      <h2 id="files" className="font-semibold">
        From this computer
      </h2>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Choices
          wanted={wanted}
          onChange={setWanted}
          formats={state.formats}
          needsHost={needsHost}
          disabled={isRunning}
        />
        <div className="flex gap-2">
          <Button type="submit" kind="primary" busy={isRunning} disabled={wanted.files.length === 0}>
            Import
          </Button>
          {isRunning && (
            <Button busy={state.phase === 'stopping'} onClick={stop}>
              Stop
            </Button>
          )}
        </div>
      </form>
      <Outcome projectId={projectId} state={state} isRunning={isRunning} />
    </section>
  )
}

type ChoicesProps = {
  readonly wanted: Wanted
  readonly onChange: (wanted: Wanted) => void
  readonly formats: readonly string[]
  readonly needsHost: boolean
  readonly disabled: boolean
}

function Choices({ wanted, onChange, formats, needsHost, disabled }: ChoicesProps) {
  const list = useId()
  return (
    <fieldset disabled={disabled} className="flex min-w-0 flex-col gap-4">
      <Field
        label="Logs"
        hint="Plain, gzip or zstd, several at once. Your browser reads them: only page views are sent, without queries. The addresses of readers are not stored."
      >
        <Input
          type="file"
          multiple
          className="h-auto file:mr-3 file:cursor-pointer file:font-medium"
          onChange={({ currentTarget: { files } }) => onChange({ ...wanted, files: [...(files ?? [])] })}
        />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Host"
          hint={`For lines without one, as in the format “combined”. ${needsHost ? 'The project has several sites: name the host of this log.' : 'Empty: that of your site.'}`}
        >
          <Input
            value={wanted.host}
            placeholder="docs.example.com"
            onChange={({ currentTarget: { value } }) => onChange({ ...wanted, host: value })}
          />
        </Field>
        <Field label="Format" hint="Empty: detected from the first lines. Or the format string of nginx or Apache.">
          <Input
            list={list}
            value={wanted.format}
            placeholder="Detected"
            onChange={({ currentTarget: { value } }) => onChange({ ...wanted, format: value })}
          />
        </Field>
        <datalist id={list}>
          {formats.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </datalist>
      </div>
      <FormatFields choice={wanted} onChange={(choice) => onChange({ ...wanted, ...choice })} />
      <AddressFields address={wanted.address} onChange={(address) => onChange({ ...wanted, address })} />
      <label className="flex w-fit items-center gap-2">
        <input
          type="checkbox"
          checked={wanted.fromStart}
          onChange={({ currentTarget: { checked } }) => onChange({ ...wanted, fromStart: checked })}
        />
        Read from the start again
      </label>
    </fieldset>
  )
}

type OutcomeProps = { readonly projectId: string; readonly state: State; readonly isRunning: boolean }

function Outcome({ projectId, state, isRunning }: OutcomeProps) {
  const { phase, progress, notes, logs, hints, problem } = state
  return (
    <div className="flex flex-col gap-4 empty:hidden">
      {isRunning && <ProgressLine progress={progress} />}
      {notes.map((note) => (
        <p key={note} className="text-sm text-warn">
          {note}
        </p>
      ))}
      {phase === 'failed' && (
        <div role="alert" className="rounded-lg border border-line bg-bad-soft px-4 py-3">
          <p className="font-medium break-words text-bad">{problem}</p>
          <p className="mt-1 text-sm">What was read before is stored. The same logs again continue from there.</p>
        </div>
      )}
      {logs.map((log) => (
        <LogResult key={`${log.name} ${log.before} ${log.lines}`} log={log} />
      ))}
      {hints.map((hint) => (
        <p key={hint} className="rounded-lg border border-line bg-warn-soft px-4 py-3 text-sm break-words">
          {hint}
        </p>
      ))}
      {(phase === 'done' || phase === 'stopped') && (
        <div role="status" className="flex flex-wrap items-center gap-3">
          <p className="font-medium">
            {phase === 'done' ? 'The import is done.' : 'Stopped. The same logs again continue from there.'}
          </p>
          <Link to="/projects/$projectId/visitors" params={{ projectId }} className={buttonStyle({ size: 'small' })}>
            Show the visitors
          </Link>
        </div>
      )}
    </div>
  )
}
