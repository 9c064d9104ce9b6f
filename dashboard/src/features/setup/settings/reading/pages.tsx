// The pages outside of the repository that jobs may read.

import type { Project } from '../../../../api/projects.ts'
import { Field, TextArea } from '../../../../ui/form/field.tsx'
import { fromLines, toLines } from '../../../../ui/form/drafts.ts'
import { SettingsCard, useSettings } from '../form.tsx'

type Pages = Project['pages']

const lists: Readonly<
  Record<keyof Pages, { readonly label: string; readonly hint: string; readonly example: string }>
> = {
  addresses: {
    label: 'Pages',
    hint: 'Whole addresses, with their query. One a line.',
    example: 'https://example.com/changelog',
  },
  prefixes: {
    label: 'Linked pages below',
    hint: 'Ends with /. Only what a page of the docs, or a page that the run has read, links to. One a line.',
    example: 'https://example.com/reference/',
  },
}
const names = Object.keys(lists) as readonly (keyof Pages)[]

export function PagesSettings({ project }: { readonly project: Project }) {
  const settings = useSettings(project, {
    toDraft: ({ pages }) => mapLists((name) => fromLines(pages[name])),
    toChange: (draft) => ({ pages: mapLists((name) => [...toLines(draft[name])]) }),
  })
  return (
    <SettingsCard
      title="Pages from outside"
      about="Jobs may read these, and every address that a person writes in a message. Docent sends no cookie and no credential."
      settings={settings}
    >
      {names.map((name) => (
        <Field key={name} label={lists[name].label} hint={lists[name].hint} problem={settings.of(`pages/${name}`)}>
          <TextArea
            rows={2}
            spellCheck={false}
            placeholder={lists[name].example}
            className="font-mono text-sm"
            value={settings.draft[name]}
            onChange={(event) => settings.change({ [name]: event.currentTarget.value })}
          />
        </Field>
      ))}
    </SettingsCard>
  )
}

function mapLists<Value>(toValue: (name: keyof Pages) => Value) {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<keyof Pages, Value>
}
