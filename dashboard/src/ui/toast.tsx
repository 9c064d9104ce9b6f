// Short messages about what has just been done, in a corner of the page.

import { Toast as Base } from '@base-ui/react/toast'

const manager = Base.createToastManager()

/** Tells what was done. What failed is said where it was tried, not here. */
export function say(title: string): void {
  manager.add({ title, timeout: 5_000 })
}

export function Toasts() {
  return (
    <Base.Provider toastManager={manager}>
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 z-50 flex w-[min(22rem,calc(100vw-2rem))] flex-col gap-2">
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function List() {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className="flex items-center justify-between gap-3 rounded-md border border-line bg-raised px-3 py-2 shadow-lg"
    >
      <Base.Title className="text-sm" />
      <Base.Close aria-label="Close" className="cursor-pointer text-muted hover:text-text">
        ×
      </Base.Close>
    </Base.Root>
  ))
}
