// A menu of actions behind a button.

import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode } from 'react'
import { buttonStyle } from '../button.tsx'
import { cn } from '../cn.ts'

export type MenuItem = { readonly label: string; readonly onSelect: () => void; readonly danger?: boolean }

type Props = { readonly label: string; readonly children: ReactNode; readonly items: readonly MenuItem[] }

export function Menu({ label, children, items }: Props) {
  return (
    <Base.Root>
      <Base.Trigger aria-label={label} className={buttonStyle({ kind: 'quiet', size: 'small' })}>
        {children}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="end" className="z-50">
          <Base.Popup className="min-w-40 rounded-md border border-line bg-raised p-1 shadow-lg">
            {items.map((item) => (
              <Base.Item
                key={item.label}
                onClick={item.onSelect}
                className={cn(
                  'cursor-default rounded px-2.5 py-1.5 data-highlighted:bg-accent-soft',
                  item.danger === true && 'text-bad',
                )}
              >
                {item.label}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
