// Which paths jobs may change, what they may do to pages, and tests of paths and texts against the stored policy.

import type { Project } from '../../../api/projects.ts'
import { Field, Input, TextArea } from '../../../ui/form/field.tsx'
import { fromLines, fromNumber, numberPattern, toLines, toNames, toNumber } from '../../../ui/form/drafts.ts'
import { SettingsCard, useSettings } from './form.tsx'
import { TryPaths } from './try/try-paths.tsx'
import { TryText } from './try/try-text.tsx'

type Lists = Pick<Project['pathPolicy'], 'allow' | 'deny' | 'unprotect'>

const lists: Readonly<
  Record<keyof Lists, { readonly label: string; readonly hint: string; readonly example: string }>
> = {
  allow: {
    label: 'Allowed',
    hint: 'Empty: every path. docs/ is everything in that folder; *.md matches in any folder.',
    example: 'docs/\n*.md',
  },
  deny: { label: 'Denied', hint: 'Always wins.', example: 'docs/legal/' },
  unprotect: {
    label: 'Protected files that jobs may change',
    hint: 'CI, hooks, manifests, scripts and instructions for agents are protected. Name the files, without **.',
    example: 'docs/package.json',
  },
}
const names = Object.keys(lists) as readonly (keyof Lists)[]

export function Policy({ project }: { readonly project: Project }) {
  const settings = useSettings(project, {
    toDraft: ({ pathPolicy }) => mapLists((name) => fromLines(pathPolicy[name])),
    toChange: (draft) => ({ pathPolicy: mapLists((name) => [...toLines(draft[name])]) }),
  })
  return (
    <>
      <SettingsCard
        title="Paths"
        about="A job that changes another path fails, and publishes nothing. One glob a line."
        settings={settings}
      >
        {names.map((name) => (
          <Field
            key={name}
            label={lists[name].label}
            hint={lists[name].hint}
            problem={settings.of(`pathPolicy/${name}`)}
          >
            <TextArea
              rows={3}
              spellCheck={false}
              placeholder={lists[name].example}
              className="min-h-20 font-mono text-sm"
              value={settings.draft[name]}
              onChange={(event) => settings.change({ [name]: event.currentTarget.value })}
            />
          </Field>
        ))}
      </SettingsCard>
      <Expected project={project} />
      <Content project={project} />
      <TryPaths projectId={project.id} isChanged={settings.isChanged} />
      <TryText projectId={project.id} isChanged={settings.isChanged} />
    </>
  )
}

const expected: Readonly<
  Record<
    keyof Project['pathPolicy']['expected'],
    { readonly label: string; readonly hint: string; readonly example: string }
  >
> = {
  paths: { label: 'Files', hint: 'Globs of code and of files of tools.', example: 'examples/' },
  components: {
    label: 'Imports of pages',
    hint: 'As the pages write them.',
    example: '@site/src/components/Chart',
  },
  keys: { label: 'Keys of configuration', hint: 'With the keys below them.', example: 'mkdocs.yml:plugins' },
}
const expectedNames = Object.keys(expected) as readonly (keyof typeof expected)[]

function Expected({ project }: { readonly project: Project }) {
  const settings = useSettings(project, {
    toDraft: ({ pathPolicy }) => mapExpected((name) => fromLines(pathPolicy.expected[name])),
    toChange: (draft) => ({ pathPolicy: { expected: mapExpected((name) => [...toLines(draft[name])]) } }),
  })
  return (
    <SettingsCard
      title="Expected"
      about="The pull request lists these, and is no draft for them. One a line. They allow nothing that is refused."
      settings={settings}
    >
      {expectedNames.map((name) => (
        <Field
          key={name}
          label={expected[name].label}
          hint={expected[name].hint}
          problem={settings.of(`pathPolicy/expected/${name}`)}
        >
          <TextArea
            rows={2}
            spellCheck={false}
            placeholder={expected[name].example}
            className="font-mono text-sm"
            value={settings.draft[name]}
            onChange={(event) => settings.change({ [name]: event.currentTarget.value })}
          />
        </Field>
      ))}
    </SettingsCard>
  )
}

function mapExpected<Value>(toValue: (name: keyof typeof expected) => Value) {
  return Object.fromEntries(expectedNames.map((name) => [name, toValue(name)])) as Record<keyof typeof expected, Value>
}

function Content({ project }: { readonly project: Project }) {
  const settings = useSettings(project, {
    toDraft: ({ pathPolicy: { imageHosts, deletedPercent } }) => ({
      imageHosts: fromLines(imageHosts),
      deletedPercent: fromNumber(deletedPercent),
    }),
    toChange: ({ imageHosts, deletedPercent }) => ({
      pathPolicy: { imageHosts: [...toNames(imageHosts)], deletedPercent: toNumber(deletedPercent) },
    }),
  })
  return (
    <SettingsCard
      title="Pages"
      about="No job adds a script, an event handler or a frame of another site to a page."
      settings={settings}
    >
      <Field
        label="Hosts of images with a query"
        hint="Other images with a query are refused: they could send what the model read."
        problem={settings.of('pathPolicy/imageHosts')}
      >
        <TextArea
          rows={2}
          spellCheck={false}
          placeholder="img.shields.io"
          className="font-mono text-sm"
          value={settings.draft.imageHosts}
          onChange={(event) => settings.change({ imageHosts: event.currentTarget.value })}
        />
      </Field>
      <Field
        label="Deleted pages, in percent"
        hint="A pull request that deletes more of the pages, and at least three, says so first. Empty: 10."
        problem={settings.of('pathPolicy/deletedPercent')}
      >
        <Input
          inputMode="numeric"
          pattern={numberPattern}
          title="A number"
          className="tabular-nums"
          value={settings.draft.deletedPercent}
          onChange={(event) => settings.change({ deletedPercent: event.currentTarget.value })}
        />
      </Field>
    </SettingsCard>
  )
}

function mapLists<Value>(toValue: (name: keyof Lists) => Value) {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<keyof Lists, Value>
}
