// Where the addresses of readers are in the lines: for the log of a server behind a proxy.

import { Field, Input } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { AddressChoice } from './protocol.ts'

type Props = { readonly address: AddressChoice; readonly onChange: (address: AddressChoice) => void }

const places = [
  { value: 'unsaid', label: 'The connection' },
  { value: 'forwarded', label: 'X-Forwarded-For' },
  { value: 'field', label: 'A field of the line' },
  { value: 'connection', label: 'The connection: no proxies' },
] as const

export function AddressFields({ address, onChange }: Props) {
  const { from, field, hops } = address
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Address from"
        hint="If the server is behind a proxy or CDN, the connection is the proxy’s: all readers with the same browser count as one visitor."
      >
        <Select value={from} options={places} onChange={(chosen) => onChange({ ...address, from: chosen })} />
      </Field>
      {(from === 'forwarded' || from === 'field') && (
        <Field
          label="Trusted hops"
          hint="Your proxies before this log. Each appends an address; clients can forge the rest."
        >
          <Input
            type="number"
            min={1}
            max={99}
            required
            value={hops}
            onChange={({ currentTarget: { value } }) => onChange({ ...address, hops: value })}
          />
        </Field>
      )}
      {from === 'field' && (
        <Field
          label="Field"
          hint="Its position in the line, from 1, or its name in JSON, in a W3C log or in the format string."
        >
          <Input
            required
            maxLength={200}
            value={field}
            placeholder="11"
            onChange={({ currentTarget: { value } }) => onChange({ ...address, field: value })}
          />
        </Field>
      )}
    </div>
  )
}
