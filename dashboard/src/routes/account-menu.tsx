// The menu of the person who is signed in: who that is, how the dashboard looks, and signing out.

import { Menu } from '@base-ui/react/menu'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { roleNames } from '../api/people/roles.ts'
import { sessionQuery } from '../api/people/session.ts'
import { useSignOut } from '../api/people/use-sign-out.ts'
import { type Theme, themes, useTheme } from '../theme.ts'
import type { MenuProps } from '../ui/overlay/menu-button.tsx'
import { say } from '../ui/overlay/toast.tsx'
import { FrameMenu, itemStyle, MenuLine } from './frame-menu.tsx'

const words: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

export function AccountMenu({ label, children }: MenuProps) {
  const { data: session } = useSuspenseQuery(sessionQuery)
  const router = useRouter()
  const signOut = useSignOut()
  const leave = (everywhere: boolean) => void signOut(everywhere).catch(() => say('Signing out failed. Try again.'))
  return (
    <FrameMenu label={label} button={children} align="end" className="w-60">
      <div className="border-b border-line px-2.5 pt-1 pb-2">
        <p className="truncate font-medium">{session.person?.name}</p>
        <p className="truncate text-sm text-muted">
          {session.person?.email} · {session.person && roleNames[session.person.role]}
        </p>
      </div>
      <Menu.Item className={itemStyle} onClick={() => void router.navigate({ to: '/account' })}>
        Your account
      </Menu.Item>
      <MenuLine />
      <ThemeChoice />
      <MenuLine />
      <Menu.Item className={itemStyle} onClick={() => leave(false)}>
        Sign out
      </Menu.Item>
      <Menu.Item className={itemStyle} onClick={() => leave(true)}>
        Sign out on all devices
      </Menu.Item>
    </FrameMenu>
  )
}

function ThemeChoice() {
  const [theme, change] = useTheme()
  return (
    <Menu.RadioGroup value={theme} onValueChange={(chosen: Theme) => change(chosen)}>
      <Menu.GroupLabel className="px-2.5 pt-2 pb-1 text-sm text-muted">Theme</Menu.GroupLabel>
      {themes.map((one) => (
        <Menu.RadioItem key={one} value={one} className={itemStyle} closeOnClick={false}>
          <span aria-hidden className="w-4">
            <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
          </span>
          {words[one]}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  )
}
