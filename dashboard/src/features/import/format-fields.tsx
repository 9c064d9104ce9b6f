// Where the values of a line are, and the zone of its times: shown for the formats whose name does not settle this.

import { Field, Input } from '../../ui/form/field.tsx'
import type { FormatChoice } from './protocol.ts'

type Props = { readonly choice: FormatChoice; readonly onChange: (choice: Partial<FormatChoice>) => void }

const hints: Readonly<
  Record<string, { readonly hint: string; readonly placeholder: string; readonly isNeeded: boolean }>
> = {
  haproxy: {
    hint: 'The numbers of your “capture request header” lines, in their order.',
    placeholder: 'user_agent=1,host=2,referrer=3,forwarded=4',
    isNeeded: true,
  },
  'nginx-json': {
    hint: 'Empty if the keys are names of nginx variables. Dots are for objects in objects.',
    placeholder: 'time=ts,path=url,address=client.ip,user_agent=ua',
    isNeeded: false,
  },
}

export function FormatFields({ choice: { format, fields, timeZone }, onChange }: Props) {
  const about = hints[format.trim()]
  if (about === undefined) return null
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Fields" hint={about.hint}>
        <Input
          required={about.isNeeded}
          maxLength={2_000}
          value={fields}
          placeholder={about.placeholder}
          onChange={({ currentTarget: { value } }) => onChange({ fields: value })}
        />
      </Field>
      {format.trim() === 'haproxy' && (
        <Field label="Time zone" hint="The server’s: times in this format do not say it. Empty: UTC.">
          <Input
            maxLength={100}
            value={timeZone}
            placeholder="Europe/Berlin"
            onChange={({ currentTarget: { value } }) => onChange({ timeZone: value })}
          />
        </Field>
      )}
    </div>
  )
}
