// Tabs whose choice is the caller's, so that it can be in the address bar. Arrow keys, Home and End move between them.

import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { Part } from './page.tsx'

type Tab<Value extends string> = { readonly value: Value; readonly label: ReactNode; readonly content: ReactNode }

type Props<Value extends string> = {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly tabs: readonly Tab<Value>[]
}

export function Tabs<Value extends string>({ value, onChange, tabs }: Props<Value>) {
  const id = useId()
  const at = tabs.findIndex((tab) => tab.value === value)
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const to = targetOf(event.key, at, tabs.length)
    const tab = to === undefined ? undefined : tabs[to]
    if (to === undefined || tab === undefined) return
    event.preventDefault()
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
    onChange(tab.value)
  }
  return (
    <>
      <div role="tablist" tabIndex={-1} onKeyDown={move} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className="-mb-px cursor-pointer border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-muted -outline-offset-2 hover:text-text aria-selected:border-accent aria-selected:text-text"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`} tabIndex={0} className="pt-4">
        <Part of={value}>{tabs[at]?.content}</Part>
      </div>
    </>
  )
}

function targetOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count
    case 'ArrowLeft':
      return (at + count - 1) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
