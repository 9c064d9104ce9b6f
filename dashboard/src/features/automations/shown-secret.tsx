// Shows the secret of the events of an automation, once.

import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'

type Props = { readonly secret: string; readonly onClose: () => void }

export function ShownSecret({ secret, onClose }: Props) {
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => !open && onClose()}
      title="Copy the secret now"
      description="It is not shown again. Systems that send Standard Webhooks sign their events with it."
      footer={
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <CopyBlock name="The secret" text={secret} />
    </Dialog>
  )
}
