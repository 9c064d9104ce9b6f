// The people, with their roles. Nobody can lock everybody out: the last admin keeps its role, and a person who gives
// up their own is asked first.

import { useSuspenseQuery } from '@tanstack/react-query'
import { type Dispatch, type SetStateAction, useState } from 'react'
import { changeRole, type Left, type Person, removePerson } from '../../api/people/people.ts'
import { queries } from '../../api/queries.ts'
import { roleHints, roleNames } from '../../api/people/roles.ts'
import { type Role, sessionQuery } from '../../api/people/session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { Refused } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { say } from '../../ui/overlay/toast.tsx'
import { Origin } from './origin.tsx'
import { shortOptions } from './roles.ts'
import { WhatIsLeft } from './what-is-left.tsx'

type Asked =
  | { readonly kind: 'left'; readonly person: Person; readonly left: Left }
  | { readonly kind: 'remove'; readonly person: Person }
  | { readonly kind: 'demote'; readonly person: Person; readonly role: Role }

/** The invitations of an admin who leaves are withdrawn. */
const refresh = () =>
  Promise.all(['people', 'invitations'].map((name) => queries.invalidateQueries({ queryKey: [name] })))

export function PeopleTable({ people }: { readonly people: readonly Person[] }) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const [asked, setAsked] = useState<Asked>()
  const [problem, setProblem] = useState<unknown>()
  const isMe = ({ id }: Person) => id === session.person?.id
  const isLastAdmin = ({ role }: Person) =>
    role === 'admin' && people.filter((one) => one.role === 'admin').length === 1
  const give = async (person: Person, role: Role) => {
    if (isMe(person)) return setAsked({ kind: 'demote', person, role })
    setProblem(undefined)
    try {
      const left = await changeRole(person.id, role)
      say(`${person.name} is ${roleNames[role].toLowerCase()} now`)
      setAsked(askAbout(person, left))
    } catch (error) {
      setProblem(error)
    }
    await refresh()
  }
  const columns: readonly Column<Person>[] = [
    { head: 'Name', cell: (person) => <Name person={person} isMe={isMe(person)} /> },
    {
      head: 'Role',
      cell: (person) => (
        <>
          <RoleChoice person={person} fixed={isLastAdmin(person)} onChoose={(role) => void give(person, role)} />
          <Origin person={person} isMe={isMe(person)} onKeep={() => void give(person, 'admin')} />
        </>
      ),
    },
    { head: 'Last seen', cell: ({ lastSeenAt }) => (lastSeenAt === null ? 'Never' : <RelativeTime at={lastSeenAt} />) },
    { head: 'Joined', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      head: '',
      align: 'right',
      cell: (person) =>
        isLastAdmin(person) ? null : (
          <Button
            size="small"
            aria-label={`Remove ${person.name}`}
            onClick={() => setAsked({ kind: 'remove', person })}
          >
            Remove
          </Button>
        ),
    },
  ]
  return (
    <>
      {problem !== undefined && (
        <div className="mb-3">
          <Refused error={problem} />
        </div>
      )}
      <Table name="People" rows={people} keyOf={({ id }) => id} columns={columns} />
      {asked && <Dialogs asked={asked} isMe={isMe(asked.person)} onAsk={setAsked} />}
    </>
  )
}

/** Undefined: nothing is left that somebody should know of. */
function askAbout(person: Person, left: Left | undefined): Asked | undefined {
  if (left === undefined || left.keys.length + left.withdrawnInvitations.length === 0) return undefined
  return { kind: 'left', person, left }
}

type DialogsProps = {
  readonly asked: Asked
  readonly isMe: boolean
  readonly onAsk: Dispatch<SetStateAction<Asked | undefined>>
}

function Dialogs({ asked, isMe, onAsk }: DialogsProps) {
  // The keys of the person may be shown already.
  const close = () => onAsk((now) => (now === asked ? undefined : now))
  if (asked.kind === 'demote') return <Demote {...asked} onClose={close} />
  if (asked.kind === 'left') return <WhatIsLeft {...asked} onClose={close} />
  const show = (left: Left | undefined) => onAsk(askAbout(asked.person, left))
  return <Remove person={asked.person} isMe={isMe} onClose={close} onRemoved={show} />
}

type RoleChoiceProps = {
  readonly person: Person
  /** Nobody else is an admin. */
  readonly fixed: boolean
  readonly onChoose: (role: Role) => void
}

function RoleChoice({ person, fixed, onChoose }: RoleChoiceProps) {
  return (
    <>
      <Select
        name={`Role of ${person.name}`}
        value={person.role}
        options={shortOptions}
        disabled={fixed}
        onChange={onChoose}
        className="w-32"
      />
      {fixed && <div className="mt-1 text-sm text-muted">The only admin</div>}
    </>
  )
}

function Name({ person, isMe }: { readonly person: Person; readonly isMe: boolean }) {
  return (
    <div className="min-w-40">
      <span className="inline-flex flex-wrap items-center gap-2">
        <span className="font-medium wrap-anywhere">{person.name}</span> {isMe && <Badge tone="accent">You</Badge>}
      </span>
      <div className="text-sm break-all text-muted">{person.email}</div>
    </div>
  )
}

type RemoveProps = {
  readonly person: Person
  readonly isMe: boolean
  readonly onClose: () => void
  readonly onRemoved: (left: Left | undefined) => void
}

function Remove({ person, isMe, onClose, onRemoved }: RemoveProps) {
  return (
    <Confirm
      title={isMe ? 'Remove your own account?' : `Remove ${person.name}?`}
      verb="Remove"
      onClose={onClose}
      onConfirm={async () => {
        const left = await removePerson(person.id)
        say(`${person.name} is removed`)
        if (isMe) return startAgain()
        await refresh()
        onRemoved(left)
      }}
    >
      {isMe
        ? 'You are signed out at once. Only another admin can invite you again.'
        : `${person.email} is signed out at once.`}{' '}
      Their invitations are withdrawn. API keys that they made keep working
      {isMe ? ': revoke those that only you use first.' : ', until you revoke them in the next step.'}
    </Confirm>
  )
}

type DemoteProps = { readonly person: Person; readonly role: Role; readonly onClose: () => void }

function Demote({ person, role, onClose }: DemoteProps) {
  return (
    <Confirm
      title="Give up your own admin role?"
      verb={`Become ${roleNames[role].toLowerCase()}`}
      onClose={onClose}
      onConfirm={async () => {
        await changeRole(person.id, role)
        await startAgain()
      }}
    >
      As {roleNames[role].toLowerCase()} you cannot undo this: another admin has to. You are signed out and sign in
      again. {role === 'viewer' ? 'A viewer only' : 'An editor'} {roleHints[role]}.
    </Confirm>
  )
}

/** The session has ended: the frame of the page asks for another one. */
async function startAgain(): Promise<void> {
  location.reload()
}
