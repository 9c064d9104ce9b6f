// Shows what nobody can read again, such as a new key, until the person says that it is copied.

import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { CopyBlock } from '../copy.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  /** The noun: `key`. */
  readonly name: string
  readonly text: string
  readonly about: string
  readonly onClose: () => void
  readonly children?: ReactNode
}

export function ShownOnce({ name, text, about, onClose, children }: Props) {
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => !open && onClose()}
      title={`Copy the ${name} now`}
      description={`It is not shown again. ${about}`}
      footer={
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <CopyBlock name={`The ${name}`} text={text} />
      {children}
    </Dialog>
  )
}
