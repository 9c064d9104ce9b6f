// Asks before something that cannot be undone, and says what will happen.

import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'
import { Refused } from '../notice.tsx'

type Props = {
  readonly title: string
  readonly children: ReactNode
  /** Fields to fill in first, and whether they are. */
  readonly content?: ReactNode
  readonly isReady?: boolean
  /** On the button: the verb of the title. */
  readonly verb: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}

export function Confirm({ title, children, content, isReady = true, verb, onConfirm, onClose }: Props) {
  const action = useMutation({ mutationFn: onConfirm, onSuccess: onClose })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={title}
      description={children}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={!isReady} busy={action.isPending} onClick={() => action.mutate()}>
            {verb}
          </Button>
        </>
      }
    >
      {content}
      {action.isError && <Refused error={action.error} />}
    </Dialog>
  )
}
