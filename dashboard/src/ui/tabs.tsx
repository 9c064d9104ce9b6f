// Tabs whose choice is the caller's, so that it can be in the address bar.

import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

type Tab<Value extends string> = { readonly value: Value; readonly label: ReactNode; readonly content: ReactNode }

type Props<Value extends string> = {
  readonly value: Value
  readonly onChange: (value: Value) => void
  readonly tabs: readonly Tab<Value>[]
}

export function Tabs<Value extends string>({ value, onChange, tabs }: Props<Value>) {
  return (
    <Base.Root value={value} onValueChange={(chosen) => onChange(chosen as Value)}>
      <Base.List className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            className="-mb-px cursor-pointer border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-muted hover:text-text data-active:border-accent data-active:text-text"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-4">
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
