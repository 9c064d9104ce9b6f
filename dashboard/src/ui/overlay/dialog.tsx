// A dialog over the page: a title, content, and buttons at its end.

import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

type Props = {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  readonly footer?: ReactNode
  /** For content that is shown once: a click beside it does not close it. */
  readonly keep?: boolean
}

export function Dialog({ open, onOpenChange, title, description, children, footer, keep = false }: Props) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal={keep}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 bg-[#0008]" />
        <Base.Popup className="fixed top-1/2 left-1/2 flex max-h-[90dvh] w-[min(34rem,94vw)] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-5 shadow-xl">
          <div>
            <Base.Title className="text-lg font-semibold">{title}</Base.Title>
            {description !== undefined && (
              <Base.Description className="mt-1 text-muted">{description}</Base.Description>
            )}
          </div>
          {children}
          {footer !== undefined && <div className="flex flex-wrap justify-end gap-2">{footer}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
