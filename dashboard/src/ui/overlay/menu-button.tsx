// A button whose menu is loaded when it is pointed at or focused: menus are a quarter of the first load otherwise.

import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { buttonStyle } from '../button.tsx'

export type MenuProps = { readonly label: string; readonly children: ReactNode }

type Props = MenuProps & {
  /** From `lazy`; opens its menu when it is rendered first. */
  readonly menu: ComponentType<MenuProps>
  readonly preload: () => Promise<unknown>
}

export const menuButtonStyle = buttonStyle({ kind: 'quiet', size: 'small' })

export function MenuButton({ label, children, menu: Menu, preload }: Props) {
  const [wanted, setWanted] = useState(false)
  // The menu itself says so, once it is opened.
  const load = () => void preload().catch(() => undefined)
  const button = (
    <button
      type="button"
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={wanted || undefined}
      className={menuButtonStyle}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
    >
      {children}
    </button>
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <Menu label={label}>{children}</Menu>
    </Suspense>
  )
}
