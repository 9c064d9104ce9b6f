// The account of the person who is signed in: who they are, the theme, the password, and where they are signed in.

import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { roleHints, roleNames } from '../../api/people/roles.ts'
import { sessionQuery } from '../../api/people/session.ts'
import { type Theme, themes, useTheme } from '../../theme.ts'
import { PageHead } from '../../ui/page.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ChangePassword } from './change-password.tsx'
import { MailSettings } from './mail-settings.tsx'
import { Sessions } from './sessions.tsx'

const themeNames: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' }

export function Account() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const [theme, change] = useTheme()
  const { person } = session
  if (person === null) return null
  return (
    <>
      <PageHead title="Your account" />
      <div className="flex max-w-3xl flex-col gap-8">
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
          <Fact name="Name">{person.name}</Fact>
          <Fact name="E-mail">{person.email}</Fact>
          <Fact name="Role">
            {roleNames[person.role]}
            <span className="text-muted">, {roleHints[person.role]}</span>
          </Fact>
          <dt className="self-center text-muted">Theme</dt>
          <dd>
            <Select
              name="Theme"
              value={theme}
              options={themes.map((value) => ({ value, label: themeNames[value] }))}
              onChange={change}
              className="w-44"
            />
          </dd>
        </dl>
        <ChangePassword email={person.email} />
        <MailSettings />
        <Sessions />
      </div>
    </>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}
