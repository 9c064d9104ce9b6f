// Shows a new key, once.

import type { CreatedKey } from '../../api/keys.ts'
import { prefix } from '../../base.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'

type Props = { readonly created: CreatedKey; readonly onClose: () => void }

export function ShownKey({ created, onClose }: Props) {
  const base = `${location.origin}${prefix}`
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => !open && onClose()}
      title="Copy the key now"
      description="It is not shown again. Keep it where you keep other secrets."
      footer={
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <CopyBlock name="The key" text={created.key} />
      <p className="text-sm text-muted">Try it:</p>
      <CopyBlock
        name="A request with the key"
        text={`curl ${base}v1/projects \\\n  -H 'Authorization: Bearer ${created.key}'`}
      />
    </Dialog>
  )
}
