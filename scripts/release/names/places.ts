// Finds the places that name a package, a tarball, the image or the repository, and those among them that use another name than
// `src/lib/release/names.ts`, another version, or a placeholder. Reads texts, asks nobody.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'

export type Names = {
  readonly packages: Readonly<Record<string, string>>
  readonly repository: string
  readonly image: string
}
export type Expected = { readonly names: Names; readonly version: string }
export type Fault = { readonly path: string; readonly line: number; readonly found: string; readonly wanted: string }

const texts = [
  '*.md',
  'docs/**/*.md',
  '.github/**/*.{md,yml,yaml}',
  'integrations/**/*',
  'examples/**/*.md',
  '{client,dashboard}/**/*.md',
  '**/package.json',
  '{Dockerfile,compose*.yaml,.env.example}',
  'deploy/**/*.yaml',
  '{src,client/src,dashboard/src,scripts}/**/*.{ts,tsx}',
]
const others = ['**/*.test.ts', '**/*.gen.ts', 'src/lib/release/names.ts', 'scripts/release/names/places.ts', 'test/**']

/** The files of the repository whose names are compared. */
export function listTexts(root: string): readonly string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root })
  return String(files)
    .split('\n')
    .filter((path) => texts.some((glob) => matchesGlob(path, glob)) && !others.some((glob) => matchesGlob(path, glob)))
}

export type Places = { readonly files: number; readonly mentions: number; readonly faults: readonly Fault[] }

export function checkPlaces(root: string, expected: Expected): Places {
  const files = listTexts(root)
  const judged = files.map((path) => judge(path, readFileSync(join(root, path), 'utf8'), expected))
  const needed = neededPlaces(expected.names).filter(({ path, text }) => {
    return !readFileSync(join(root, path), 'utf8').includes(text)
  })
  return {
    files: files.length,
    mentions: judged.reduce((sum, { mentions }) => sum + mentions, 0),
    faults: [
      ...judged.flatMap(({ faults }) => faults),
      ...needed.map(({ path, text }) => ({ path, line: 1, found: 'nothing', wanted: text })),
    ],
  }
}

/** Texts that are wrong without a name. */
function neededPlaces({ repository, packages, image }: Names) {
  return [
    { path: 'SECURITY.md', text: `${repository}/security/advisories/new` },
    { path: '.github/ISSUE_TEMPLATE/config.yml', text: `${repository}/security/advisories/new` },
    { path: 'Dockerfile', text: `org.opencontainers.image.source="${repository}"` },
    { path: 'package.json', text: `"name": "${packages['service']}"` },
    { path: 'client/package.json', text: `"name": "${packages['client']}"` },
    { path: 'compose.yaml', text: image },
    { path: 'deploy/kubernetes/docent.yaml', text: image },
  ]
}

/** A form in which a name is written, and its meaning: undefined if the place is right. */
type Form = {
  readonly pattern: RegExp
  readonly wanted: (match: RegExpExecArray, expected: Expected) => string | undefined
}

const hosts = 'github\\.com|gitlab\\.com|codeberg\\.org|bitbucket\\.org'
const registries = 'ghcr\\.io|docker\\.io|quay\\.io|registry\\.gitlab\\.com'
const product = '[Dd]ocent'
/** A package of the workspace that is never published. */
const ownParts = ['dashboard']

const forms: readonly Form[] = [
  {
    // `@docent/check@0.1.0`, and `@docent-labs/check` as well.
    pattern: new RegExp(`(?<![\\w./@-])(@[\\w-]*${product}[\\w-]*/[\\w-]+)(?:@(\\d[\\w.-]*))?`, 'g'),
    wanted: ([, name = '', version], expected) => {
      const known = Object.values(expected.names.packages)
      if (known.includes(name)) return otherVersion(version, expected)
      const scopes = known.filter((one) => one.startsWith('@')).map((one) => one.split('/')[0])
      const isOwn = scopes.some((scope) => ownParts.some((part) => name === `${scope}/${part}`))
      return isOwn ? undefined : `one of ${known.join(', ')}`
    },
  },
  {
    // `npm install --global docent`
    pattern: new RegExp(
      `\\b(?:npm (?:install|i|exec)|npx)(?: (?!--prefix)-[\\w-]+)* (${product}[\\w-]*)(?:@(\\d[\\w.-]*))?(?![\\w./-])`,
      'g',
    ),
    wanted: ([, name, version], expected) => {
      const { service } = expected.names.packages
      return name === service ? otherVersion(version, expected) : service
    },
  },
  {
    // `docent-check-0.1.0.tgz`
    pattern: new RegExp(`\\b(${product}[\\w-]*?)-(\\d+\\.\\d+\\.\\d+[\\w.-]*?)\\.tgz`, 'g'),
    wanted: ([, name = '', version], expected) => {
      const tarballs = Object.values(expected.names.packages).map((one) => one.replace('@', '').replace('/', '-'))
      return tarballs.includes(name) ? otherVersion(version, expected) : `one of ${tarballs.join(', ')}`
    },
  },
  {
    pattern: new RegExp(`(?:https?://|git@)(?:${hosts})[/:](?!apps/)[\\w.-]+/${product}\\b`, 'g'),
    wanted: ([found], { names }) => (found === names.repository ? undefined : names.repository),
  },
  {
    // A workflow that uses an action of the repository.
    pattern: new RegExp(`\\buses: ([\\w.-]+/${product})\\b`, 'g'),
    wanted: ([, found = ''], { names }) => {
      const own = new URL(names.repository).pathname.slice(1)
      return found === own ? undefined : own
    },
  },
  {
    pattern: new RegExp(`\\b((?:${registries})/[\\w./-]+?/?${product})(?::(\\d[\\w.-]*))?(?![\\w/])`, 'g'),
    wanted: ([, found = '', version], expected) =>
      found === expected.names.image ? otherVersion(version?.replace(/-slim$/, ''), expected) : expected.names.image,
  },
  {
    pattern: new RegExp(`(?:${hosts}|${registries})/(?:<[^>]+>|OWNER|ORG|USER|YOUR[\\w-]*|your-[\\w-]+)/`, 'g'),
    wanted: () => 'a name instead of a placeholder',
  },
]

function otherVersion(found: string | undefined, { version }: Expected): string | undefined {
  return found === undefined || found === version ? undefined : `version ${version}`
}

/** The mentions of a text, and those that are wrong. */
export function judge(path: string, text: string, expected: Expected) {
  const faults: Fault[] = []
  let mentions = 0
  for (const { pattern, wanted } of forms) {
    for (const match of text.matchAll(pattern)) {
      const { names } = expected
      const all = [...Object.values(names.packages), names.repository, names.image]
      if (all.some((name) => match[0].includes(name))) mentions += 1
      const right = wanted(match, expected)
      if (right === undefined) continue
      const line = text.slice(0, match.index).split('\n').length
      faults.push({ path, line, found: match[0], wanted: right })
    }
  }
  return { mentions, faults }
}
