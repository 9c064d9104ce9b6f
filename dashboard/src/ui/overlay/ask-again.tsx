// Asks again before a row of a list is gone, in its place: keep it, or delete it now.

import { Button } from '../button.tsx'

type Props = {
  /** `Delete now`. */
  readonly action: string
  readonly busy: boolean
  readonly onKeep: () => void
  readonly onConfirm: () => void
}

export function AskAgain({ action, busy, onKeep, onConfirm }: Props) {
  return (
    <>
      <Button size="small" onClick={onKeep}>
        Keep
      </Button>
      <Button size="small" kind="danger" busy={busy} autoFocus onClick={onConfirm}>
        {action}
      </Button>
    </>
  )
}
