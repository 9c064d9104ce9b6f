// The keys that work, and on request those that no longer do.

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type CreatedKey, type Key, revokeKey } from '../../api/keys.ts'
import { projectsQuery } from '../../api/projects.ts'
import { queries } from '../../api/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Table } from '../../ui/table.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { expiryOf, isInUse } from './expiry.ts'
import { Rotate } from './rotate.tsx'
import { ShownKey } from './shown-key.tsx'

type Asked = { readonly verb: 'rotate' | 'revoke'; readonly key: Key }

const states: Readonly<Record<Key['state'], readonly [string, Tone]>> = {
  active: ['Active', 'good'],
  replaced: ['Replaced', 'warn'],
  expired: ['Expired', 'neutral'],
  revoked: ['Revoked', 'neutral'],
}

export function KeyTable({ keys }: { readonly keys: readonly Key[] }) {
  const { data: projects = [] } = useQuery(projectsQuery)
  const [asked, setAsked] = useState<Asked>()
  const [shown, setShown] = useState<CreatedKey>()
  const [showsAll, setShowsAll] = useState(false)
  const old = keys.filter((key) => !isInUse(key)).length
  const nameOf = (id: string) => projects.find((project) => project.id === id)?.name ?? id
  return (
    <>
      <Table
        name="API keys"
        rows={showsAll ? keys : keys.filter(isInUse)}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Name', cell: (one) => <Name of={one} /> },
          { head: 'Scope', cell: ({ scope }) => scopeNames[scope] },
          {
            head: 'Projects',
            cell: ({ projectIds }) => <Listed>{projectIds?.map(nameOf) ?? ['All']}</Listed>,
          },
          { head: 'Addresses', cell: ({ allowedAddresses }) => <Listed>{allowedAddresses ?? ['Any']}</Listed> },
          { head: 'Expires', cell: (one) => <Expires of={one} /> },
          {
            head: 'Last used',
            cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />),
          },
          {
            head: '',
            align: 'right',
            cell: (key) => (isInUse(key) ? <Actions of={key} onAsk={setAsked} /> : null),
          },
        ]}
      />
      {old > 0 && (
        <Button kind="quiet" size="small" className="mt-2" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Hide' : 'Show'} {old} that no longer {old === 1 ? 'works' : 'work'}
        </Button>
      )}
      {asked?.verb === 'revoke' && <Revoke of={asked.key} onClose={() => setAsked(undefined)} />}
      {asked?.verb === 'rotate' && (
        <Rotate
          of={asked.key}
          onClose={() => setAsked(undefined)}
          onRotated={(created) => {
            setAsked(undefined)
            setShown(created)
          }}
        />
      )}
      {shown && <ShownKey created={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** Long names and addresses leave the other columns their place. */
function Listed({ children }: { readonly children: readonly string[] }) {
  return <div className="wrap-anywhere sm:min-w-32">{children.join(', ')}</div>
}

const scopeNames: Readonly<Record<Key['scope'], string>> = { read: 'Read', write: 'Write', admin: 'Admin' }

function Name({ of: { name, hint, state } }: { readonly of: Key }) {
  const [word, tone] = states[state]
  return (
    <div className="min-w-40">
      <span className="inline-flex flex-wrap items-center gap-2">
        <span className="font-medium wrap-anywhere">{name}</span>{' '}
        {state !== 'active' && <Badge tone={tone}>{word}</Badge>}
      </span>
      <div className="font-mono text-sm text-muted">{hint}</div>
    </div>
  )
}

function Expires({ of: key }: { readonly of: Key }) {
  if (key.state === 'revoked')
    return key.revokedAt === null ? (
      ''
    ) : (
      <>
        Revoked <RelativeTime at={key.revokedAt} />
      </>
    )
  if (key.expiresAt === null) return 'Never'
  const isSoon = isInUse(key) && expiryOf(key, new Date()) === 'soon'
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <RelativeTime at={key.expiresAt} /> {isSoon && <Badge tone="warn">Soon</Badge>}
    </span>
  )
}

type ActionsProps = { readonly of: Key; readonly onAsk: (asked: Asked) => void }

function Actions({ of: key, onAsk }: ActionsProps) {
  return (
    <Menu
      label={`Actions for ${key.name}`}
      items={[
        // A key is replaced once.
        ...(key.state === 'active' ? [{ label: 'Rotate', onSelect: () => onAsk({ verb: 'rotate', key }) }] : []),
        { label: 'Revoke', danger: true, onSelect: () => onAsk({ verb: 'revoke', key }) },
      ]}
    >
      ⋯
    </Menu>
  )
}

function Revoke({ of: { id, name, lastUsedAt }, onClose }: { readonly of: Key; readonly onClose: () => void }) {
  return (
    <Confirm
      title={`Revoke ${name}?`}
      verb="Revoke"
      onClose={onClose}
      onConfirm={async () => {
        await revokeKey(id)
        await queries.invalidateQueries({ queryKey: ['keys'] })
        say(`${name} is revoked`)
      }}
    >
      Requests with this key are refused at once, for good.{' '}
      {lastUsedAt === null ? (
        'It was never used.'
      ) : (
        <>
          It was last used <RelativeTime at={lastUsedAt} />.
        </>
      )}
    </Confirm>
  )
}
