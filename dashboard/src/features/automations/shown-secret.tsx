// Shows the secret of the events of an automation, once.

import { ShownOnce } from '../../ui/overlay/shown-once.tsx'

type Props = { readonly secret: string; readonly onClose: () => void }

export function ShownSecret({ secret, onClose }: Props) {
  return (
    <ShownOnce
      name="secret"
      text={secret}
      about="Systems that send Standard Webhooks sign their events with it."
      onClose={onClose}
    />
  )
}
