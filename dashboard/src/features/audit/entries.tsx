// The table of changes. Ids get the names that they have now, where these are known.

import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/keys.ts'
import { type AuditEntry, peopleQuery } from '../../api/people/people.ts'
import { projectsQuery } from '../../api/projects.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatExact, RelativeTime } from '../../ui/relative-time.tsx'
import { Table } from '../../ui/table.tsx'
import { inWords } from './words.ts'

const kinds: Readonly<Record<AuditEntry['actor']['kind'], string | undefined>> = {
  person: undefined,
  key: 'API key',
  operator: 'Command line',
  setup: 'First run',
  invitation: 'Invitation',
}

export function Entries({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const names = useNames()
  return (
    <Table
      name="Changes"
      rows={entries.map((entry, index) => ({ ...entry, index }))}
      keyOf={({ index }) => String(index)}
      columns={[
        {
          head: 'When',
          cell: ({ happenedAt }) => (
            <>
              <RelativeTime at={happenedAt} />
              <div className="text-sm whitespace-nowrap text-muted tabular-nums">{formatExact(happenedAt)}</div>
            </>
          ),
        },
        { head: 'Who', cell: (entry) => <Who entry={entry} /> },
        { head: 'What', cell: (entry) => <Change entry={entry} /> },
        { head: 'On', cell: (entry) => <Subject entry={entry} names={names} /> },
      ]}
    />
  )
}

function Who({ entry: { actor, address } }: { readonly entry: AuditEntry }) {
  const kind = kinds[actor.kind]
  return (
    <>
      <span className="inline-flex flex-wrap items-center gap-2">
        <span className="wrap-anywhere">{actor.name}</span> {kind !== undefined && <Badge>{kind}</Badge>}
      </span>
      <div className="text-sm text-muted">{address ?? 'On the machine of the service'}</div>
    </>
  )
}

function Change({ entry: { action, fields, finished } }: { readonly entry: AuditEntry }) {
  return (
    <>
      <span className="inline-flex flex-wrap items-center gap-2">
        <span title={action}>{inWords(action)}</span>
        {!finished && (
          <span title="The service was stopped in the middle. Look whether the change was made.">
            <Badge tone="warn">Unfinished</Badge>
          </span>
        )}
      </span>
      {fields.length > 0 && <div className="text-sm text-muted">{fields.join(', ')}</div>}
    </>
  )
}

type SubjectProps = { readonly entry: AuditEntry; readonly names: ReadonlyMap<string, string> }

function Subject({ entry: { subject, projectId }, names }: SubjectProps) {
  const project = projectId === null || projectId === subject ? undefined : (names.get(projectId) ?? projectId)
  if (subject === null) return project ?? null
  const name = names.get(subject)
  return (
    <>
      {name !== undefined && <div className="wrap-anywhere">{name}</div>}
      <code className="font-mono text-sm break-all text-muted">{subject}</code>
      {project !== undefined && <div className="text-sm wrap-anywhere text-muted">in {project}</div>}
    </>
  )
}

function useNames(): ReadonlyMap<string, string> {
  const { data: projects = [] } = useQuery(projectsQuery)
  const { data: people = [] } = useQuery(peopleQuery)
  const { data: keys = [] } = useQuery(keysQuery)
  return new Map([...projects, ...people, ...keys].map(({ id, name }) => [id, name]))
}
