// Shows a new key, once.

import type { CreatedKey } from '../../api/keys.ts'
import { prefix } from '../../base.ts'
import { CopyBlock } from '../../ui/copy.tsx'
import { ShownOnce } from '../../ui/overlay/shown-once.tsx'

type Props = { readonly created: CreatedKey; readonly onClose: () => void }

export function ShownKey({ created, onClose }: Props) {
  const base = `${location.origin}${prefix}`
  return (
    <ShownOnce name="key" text={created.key} about="Keep it where you keep other secrets." onClose={onClose}>
      <p className="text-sm text-muted">Try it:</p>
      <CopyBlock
        name="A request with the key"
        text={`curl ${base}v1/projects \\\n  -H 'Authorization: Bearer ${created.key}'`}
      />
    </ShownOnce>
  )
}
