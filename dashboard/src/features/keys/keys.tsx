// API keys: what they can do, when they expire, and when they were last used.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CreatedKey, type Key, keysQuery, revokeKey, rotateKey } from '../../api/keys.ts'
import { projectsQuery } from '../../api/projects.ts'
import { queries } from '../../api/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Copy } from '../../ui/copy.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Empty, Refused, Skeleton } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Table } from '../../ui/table.tsx'
import { say } from '../../ui/toast.tsx'
import { NewKeyDialog } from './new-key.tsx'
import { ShownKey } from './shown-key.tsx'

const tones: Readonly<Record<Key['state'], Tone>> = {
  active: 'good',
  replaced: 'warn',
  expired: 'neutral',
  revoked: 'neutral',
}

export function Keys() {
  const keys = useQuery(keysQuery)
  const [creating, setCreating] = useState(false)
  return (
    <>
      <PageHead
        title="API keys"
        about="A key lets a server or a person call the API. It is a secret: it is shown once, and kept as a digest."
        actions={
          <Button kind="primary" onClick={() => setCreating(true)}>
            Create a key
          </Button>
        }
      />
      <ProjectIds />
      {keys.isPending && <Skeleton className="h-40" />}
      {keys.isError && <Refused error={keys.error} retry={() => void keys.refetch()} />}
      {keys.isSuccess && keys.data.length === 0 && (
        <Empty title="There is no key yet">Create one to call the API.</Empty>
      )}
      {keys.isSuccess && keys.data.length > 0 && <KeyTable keys={keys.data} />}
      {creating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </>
  )
}

/** What the path of a request needs. */
function ProjectIds() {
  const { data: projects = [] } = useQuery(projectsQuery)
  if (projects.length === 0) return null
  return (
    <section className="mb-6">
      <h2 className="mb-2 text-lg font-semibold">Project identifiers</h2>
      <ul className="flex flex-col gap-1">
        {projects.map(({ id, name }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>{name}</span>
            <code className="font-mono text-sm break-all text-muted">{id}</code>
            <Copy text={id} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type Asked = { readonly verb: 'rotate' | 'revoke'; readonly key: Key }

function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
  const [asked, setAsked] = useState<Asked>()
  const [shown, setShown] = useState<CreatedKey>()
  return (
    <>
      <Table
        name="API keys"
        rows={keys}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Name',
            cell: ({ name, hint }) => (
              <>
                {name}
                <div className="font-mono text-sm text-muted">{hint}</div>
              </>
            ),
          },
          { head: 'Scope', cell: ({ scope }) => scope },
          { head: 'Projects', cell: ({ projectIds }) => (projectIds === null ? 'All' : projectIds.length) },
          {
            head: 'Expires',
            cell: ({ expiresAt }) => (expiresAt === null ? 'Never' : <RelativeTime at={expiresAt} />),
          },
          {
            head: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />),
          },
          { head: 'State', cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge> },
          {
            head: '',
            align: 'right',
            cell: (key) =>
              key.state === 'active' || key.state === 'replaced' ? (
                <Menu
                  label={`Actions for ${key.name}`}
                  items={[
                    ...(key.state === 'active'
                      ? [{ label: 'Rotate', onSelect: () => setAsked({ verb: 'rotate', key }) }]
                      : []),
                    { label: 'Revoke', danger: true, onSelect: () => setAsked({ verb: 'revoke', key }) },
                  ]}
                >
                  ⋯
                </Menu>
              ) : null,
          },
        ]}
      />
      {asked?.verb === 'revoke' && (
        <Confirm
          title={`Revoke ${asked.key.name}?`}
          verb="Revoke"
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            await revokeKey(asked.key.id)
            await queries.invalidateQueries({ queryKey: ['keys'] })
            say(`${asked.key.name} is revoked`)
          }}
        >
          Requests with this key are refused at once.
        </Confirm>
      )}
      {asked?.verb === 'rotate' && (
        <Confirm
          title={`Rotate ${asked.key.name}?`}
          verb="Rotate"
          onClose={() => setAsked(undefined)}
          onConfirm={async () => {
            setShown(await rotateKey(asked.key.id, 86_400))
            await queries.invalidateQueries({ queryKey: ['keys'] })
          }}
        >
          You get a new key with the same rights. The old one keeps working for a day.
        </Confirm>
      )}
      {shown && <ShownKey created={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
