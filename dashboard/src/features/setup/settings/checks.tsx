// How the documentation is checked before a change is published: which new problems fail a job, which are ignored, and
// the kinds of sites that Docent does not recognise.

import type { Project } from '../../../api/projects.ts'
import { Choices } from '../../../ui/form/choice.tsx'
import { SettingsCard, useSettings } from './form.tsx'
import { RuleRows } from './rule-rows.tsx'

type Checks = Project['checks']

const blocks = [
  {
    value: 'breaking',
    label: 'Breaking ones',
    hint: 'The site does not build, or its navigation leads to a missing page. With others, the pull request is a draft that lists them.',
  },
  { value: 'all', label: 'All', hint: 'Also dead links, anchors and images.' },
  { value: 'never', label: 'None', hint: 'With any, the pull request is a draft that lists them.' },
] as const satisfies readonly { readonly value: Checks['block']; readonly label: string; readonly hint: string }[]

const losses = [
  { value: 'show', label: 'No', hint: 'The pull request lists them.' },
  { value: 'block', label: 'Yes', hint: 'The change is not published.' },
] as const satisfies readonly { readonly value: Checks['losses']; readonly label: string; readonly hint: string }[]

const groundings = [
  { value: 'show', label: 'List them', hint: 'The job and the pull request list them.' },
  { value: 'draft', label: 'Draft', hint: 'The pull request is also a draft that says so first.' },
  { value: 'off', label: 'Off', hint: 'Nothing is looked up.' },
] as const satisfies readonly { readonly value: Checks['grounding']; readonly label: string; readonly hint: string }[]

/** An exhaustive record: a new kind is a type error here. */
const problems: Readonly<Record<Checks['ignore'][number]['kind'], string>> = {
  link: 'Dead links',
  anchor: 'Links to missing headings',
  image: 'Missing images',
  config: 'Configuration',
  'duplicate-route': 'Duplicate addresses',
  field: 'Missing frontmatter fields',
  frontmatter: 'Frontmatter',
  import: 'Missing imports',
  include: 'Missing includes',
  markdown: 'Open code fences',
  mdx: 'MDX',
  navigation: 'Navigation to missing pages',
  redirect: 'Redirects over pages',
  reference: 'OpenAPI references',
  unlisted: 'Pages missing from navigation',
  'stale-term': 'Names that the product no longer has',
  'stale-value': 'Defaults that the product changed',
  'unknown-term': 'Names that the product never had',
}

const sites: Readonly<Record<Checks['sites'][number]['kind'], string>> = {
  antora: 'Antora',
  docsify: 'docsify',
  astro: 'Astro',
  docusaurus: 'Docusaurus',
  fumadocs: 'Fumadocs',
  gitbook: 'GitBook, HonKit',
  hugo: 'Hugo',
  jekyll: 'Jekyll',
  mdbook: 'mdBook',
  mintlify: 'Mintlify',
  mkdocs: 'MkDocs',
  nextra: 'Nextra',
  sphinx: 'Sphinx',
  starlight: 'Starlight',
  vitepress: 'VitePress',
  vuepress: 'VuePress',
  plain: 'Plain Markdown',
}

export function ChecksSettings({ project }: { readonly project: Project }) {
  const settings = useSettings<Checks>(project, {
    toDraft: ({ checks }) => checks,
    toChange: (checks) => ({ checks }),
  })
  const { draft, change, of } = settings
  return (
    <SettingsCard
      title="Checks"
      about="Docent checks the documentation before it publishes a change. Only problems that the agent introduced count."
      settings={settings}
    >
      <Choices
        legend="Which new problems fail a job?"
        value={draft.block}
        onChange={(block) => change({ block })}
        choices={blocks}
      />
      <Choices
        legend="Do lost headings, code blocks and text fail a job?"
        value={draft.losses}
        onChange={(lost) => change({ losses: lost })}
        choices={losses}
        className="sm:grid-cols-2"
      />
      <Choices
        legend="Names and values that are not found in the sources"
        value={draft.grounding}
        onChange={(grounding) => change({ grounding })}
        choices={groundings}
      />
      <RuleRows
        legend="Ignored problems"
        hint="A kind of problem to ignore in a file or folder. Pull requests say how many were ignored."
        problem={of('checks/ignore')}
        rules={draft.ignore}
        onChange={(rules) => change({ ignore: [...rules] })}
        kinds={problems}
        kindName="Ignored kind"
        pathName="Ignored file or folder"
        example="docs/legal"
        add="Ignore a kind of problem"
      />
      <RuleRows
        legend="Kinds of sites"
        hint="Name the kind of a site where Docent does not recognise it by its configuration. The folder . is the whole repository."
        problem={of('checks/sites')}
        rules={draft.sites}
        onChange={(rules) => change({ sites: [...rules] })}
        kinds={sites}
        kindName="Kind of site"
        pathName="Folder of the site"
        example="docs"
        add="Name a site"
      />
    </SettingsCard>
  )
}
