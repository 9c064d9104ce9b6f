// The popup of a menu of the frame. It is open when it is rendered first: its button was pressed to load it.

import { Menu } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import { cn } from '../ui/cn.ts'
import { menuButtonStyle } from '../ui/overlay/menu-button.tsx'

export const itemStyle = 'flex cursor-default items-center gap-2 rounded px-2.5 py-1.5 data-highlighted:bg-accent-soft'

type Props = {
  readonly label: string
  readonly button: ReactNode
  readonly align: 'start' | 'end'
  readonly className: string
  readonly children: ReactNode
}

export function FrameMenu({ label, button, align, className, children }: Props) {
  return (
    <Menu.Root defaultOpen>
      <Menu.Trigger aria-label={label} className={menuButtonStyle}>
        {button}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={4} align={align} className="z-50">
          <Menu.Popup className={cn('rounded-md border border-line bg-raised p-1 shadow-lg outline-none', className)}>
            {children}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

export function MenuLine() {
  return <Menu.Separator className="my-1 h-px bg-line" />
}
