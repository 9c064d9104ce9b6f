// Replaces a key by one with the same rights. The old one works on for a time, so that every server can get the new one.

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type CreatedKey, type Key, rotateKey } from '../../api/keys.ts'
import { queries } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Refused } from '../../ui/notice.tsx'
import { Select } from '../../ui/form/select.tsx'

const overlaps = [
  { value: '0', label: 'Not at all', hint: 'For a key that has leaked' },
  { value: '3600', label: 'For an hour' },
  { value: '86400', label: 'For a day' },
  { value: '604800', label: 'For 7 days' },
] as const
type Overlap = (typeof overlaps)[number]['value']

type Props = { readonly of: Key; readonly onClose: () => void; readonly onRotated: (created: CreatedKey) => void }

export function Rotate({ of: { id, name }, onClose, onRotated }: Props) {
  const [overlap, setOverlap] = useState<Overlap>('86400')
  const rotate = useMutation({
    mutationFn: () => rotateKey(id, Number(overlap)),
    onSuccess: onRotated,
    // Also after a refusal: somebody else may have revoked it.
    onSettled: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Rotate ${name}?`}
      description="You get a new key with the same name, scope, projects, addresses and lifetime."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            Rotate
          </Button>
        </>
      }
    >
      <Field label="The old key keeps working">
        <Select name="The old key keeps working" value={overlap} options={overlaps} onChange={setOverlap} />
      </Field>
      {rotate.isError && <Refused error={rotate.error} />}
    </Dialog>
  )
}
