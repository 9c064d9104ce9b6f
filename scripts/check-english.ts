// An English lint: finds banned words in user-facing texts and in comments, and test names that are too long or do not
// start with their subject. Prints every finding and exits with 1. Run it with `node scripts/check-english.ts`; with
// paths, it checks only those files.

import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'

type Rule = { readonly pattern: RegExp; readonly instead: string }

const rules: readonly Rule[] = [
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\b(?:mend(?:s|ed|ing)?)\b/i, instead: 'fix' },
  { pattern: /\bbut for\b/i, instead: 'except' },
  { pattern: /\ball else\b/i, instead: 'everything else' },
  { pattern: /\bshall\b/i, instead: 'will or must' },
  { pattern: /(?<![-`"'])\bnone\b(?![-`"'])/i, instead: 'no, zero, or a sentence with "not"' },
  { pattern: /\btold\b/i, instead: 'reports, sends, identifies' },
  { pattern: /\btell(?:s|ing)? (?:\w+ ){0,3}apart\b/i, instead: 'distinguish, identify' },
  { pattern: /\bstands?\b(?! for)/i, instead: 'is' },
  { pattern: /\bwhoever\b/i, instead: 'anyone who, the one that' },
  { pattern: /\bthose who\b/i, instead: 'people who, a noun' },
  { pattern: /\bfor ever\b/i, instead: 'forever, never expires' },
  { pattern: /\bits? kin\b|\btheir kin\b/i, instead: 'and related' },
  { pattern: /\b(?:go|goes|going|went) on\b/i, instead: 'continue' },
  { pattern: /\bnobody's business\b|\bno hands\b/i, instead: 'the plain fact' },
  { pattern: /(?:^|[.!?:] )(?:What|Of) (?!.*\?)/, instead: 'the subject first' },
]

/** `only` limits a rule to the files whose path it matches. */
type CommentRule = Rule & { readonly only?: RegExp }

const commentRules: readonly CommentRule[] = [
  ...rules.slice(0, -1),
  { pattern: /^(?:What|Of) /, instead: 'a verb and its object, or a noun, first' },
  { pattern: /\bdear\b/i, instead: 'expensive' },
  { pattern: /\blook(?:s|ed) at\b|\blooks of\b/i, instead: 'polls, reads, checks or sees' },
  { pattern: /\btalks to\b/i, instead: 'connects to' },
  { pattern: /\bthe (?:former|latter)\b/i, instead: 'the noun again' },
  { pattern: /\bonce more\b/i, instead: 'again' },
  { pattern: /\bnow and then\b/i, instead: 'sometimes, or how often' },
  { pattern: /\bless and less\b/i, instead: 'less often' },
  { pattern: /(?:[;.] |^)undefined: /, instead: '"or undefined if …", or a sentence: "Undefined: …"' },
  { pattern: /\bat most so (?:many|much)\b/i, instead: 'the limit, by its name' },
  { pattern: /\bquestions?\b/i, instead: 'query', only: /^src\/(?:clickhouse|analytics)\// },
]

const prose = [
  '*.md',
  'docs/**/*.md',
  'src/automations/ready/instructions/*.md',
  'client/README.md',
  'examples/traffic/README.md',
]
const strings = [
  'src/lib/failure.ts',
  'src/config/settings.ts',
  'src/http/contract/*.ts',
  'src/http/resources/**/*.ts',
  'src/http/pages/*.ts',
  'src/cli/**/*.ts',
  'dashboard/src/**/*.{ts,tsx}',
]
const commented = [
  '{src,client/src,tracker,bench,dashboard/src,dashboard/build,scripts,test,examples/traffic}/**/*.{ts,tsx}',
  'docs/site/.vitepress/*.ts',
]
const settings = ['.env.example', 'compose.yaml', 'compose.server.yaml', 'deploy/Caddyfile', 'Dockerfile']
const tests = [
  'src/**/*.test.ts',
  '{client,dashboard}/src/**/*.test.ts',
  'test/**/*.test.ts',
  'examples/traffic/*.test.ts',
]
const generated = 'client/src/api/types.gen.ts'
const longestName = 80

export type Fault = { readonly line: number; readonly text: string; readonly advice: string }

/** Returns the faults in the texts of a file. `path` determines the kind of file. */
export function findFaults(path: string, content: string): readonly Fault[] {
  if (path.endsWith('.test.ts')) return [...findInTestNames(content), ...findInComments(path, content)]
  const faults =
    strings.some((pattern) => matchesGlob(path, pattern)) || !/\.tsx?$/.test(path) ? findInText(path, content) : []
  return /\.tsx?$/.test(path) ? [...faults, ...findInComments(path, content)] : faults
}

function findInText(path: string, content: string): readonly Fault[] {
  const text = textOf(path, content)
  return text.split('\n').flatMap((line, at) => {
    // A heading may be a phrase.
    const isHeading = path.endsWith('.md') && /^#|^- \[|^\d\. \[/.test(line)
    return rules
      .filter(({ pattern }) => pattern.test(line) && !(isHeading && pattern.source.startsWith('(?:^|')))
      .map(({ pattern, instead }) => ({ line: at + 1, text: pattern.exec(line)?.[0].trim() ?? '', advice: instead }))
  })
}

function textOf(path: string, content: string): string {
  if (path.endsWith('.md')) return withoutCode(content)
  if (path.endsWith('.tsx')) return withoutComments(content)
  return path.endsWith('.ts') ? onlyStrings(content) : content
}

function findInComments(path: string, code: string): readonly Fault[] {
  const applying = commentRules.filter(({ only }) => only === undefined || only.test(path))
  return commentsOf(code).flatMap(({ line, text }) =>
    applying
      .filter(({ pattern }) => pattern.test(text))
      .map(({ pattern, instead }) => ({ line, text: pattern.exec(text)?.[0].trim() ?? '', advice: instead })),
  )
}

/** Consecutive lines that start with `//` are one comment. A comment after code is separate. Code in backticks is removed. */
function commentsOf(code: string): readonly { readonly line: number; readonly text: string }[] {
  const pattern = /(?<!\S)\/\*\*(?<block>[^]*?)\*\/|(?<lines>(?:^[ \t]*\/\/.*\n?)+)|[ \t]\/\/ (?<trailing>[^'"`\n]*)$/gm
  return [...code.matchAll(pattern)].map((found) => {
    const { block, lines, trailing } = found.groups ?? {}
    const text = block?.replaceAll(/^[ \t]*\*/gm, '') ?? lines?.replaceAll(/^[ \t]*\/\//gm, '') ?? trailing ?? ''
    return {
      line: code.slice(0, found.index).split('\n').length,
      text: text
        .replaceAll(/`[^`]*`/g, '`code`')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    }
  })
}

function findInTestNames(content: string): readonly Fault[] {
  return content.split('\n').flatMap((line, at) => {
    const name = /\btest\(\s*(['"`])(.*?)(?<!\\)\1/.exec(line)?.[2] ?? ''
    const fault = (advice: string): Fault => ({ line: at + 1, text: name, advice })
    return [
      ...(name.length > longestName ? [fault(`at most ${longestName} characters; it has ${name.length}`)] : []),
      ...(/^(?:of|who|what|where|to) /i.test(name) ? [fault('the subject first')] : []),
    ]
  })
}

/** Removes code, but keeps line numbers. */
function withoutCode(markdown: string): string {
  return markdown
    .replaceAll(/```[^]*?```/g, (block) => block.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`/g, '`code`')
}

/** In JSX the text of a page is between tags: all code is read as text, since no name in it is a banned word. */
function withoutComments(code: string): string {
  return code
    .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line) => line.replace(/(^|\s)\/\/ .*$/, '').trim())
    .join('\n')
}

/** Keeps only string literals of TypeScript, without imports and comments, which users do not see. */
function onlyStrings(code: string): string {
  return code
    .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
    .split('\n')
    .map((line) => (/^import |^} from /.test(line) ? '' : line.replace(/(^|\s)\/\/.*$/, '')))
    .map((line) =>
      (line.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`?/g) ?? []).map((one) => one.slice(1, -1)).join(' | '),
    )
    .join('\n')
}

function check(paths: readonly string[]): number {
  let found = 0
  for (const path of paths) {
    for (const { line, text, advice } of findFaults(path, readFileSync(path, 'utf8'))) {
      found += 1
      process.stdout.write(`${path}:${line}: "${text}": ${advice}\n`)
    }
  }
  return found
}

if (import.meta.main) {
  const given = process.argv.slice(2)
  const all = globSync([...prose, ...strings, ...commented, ...settings, ...tests]).toSorted()
  const paths = given.length > 0 ? given : all.filter((path) => !path.includes('node_modules') && path !== generated)
  process.exitCode = check(paths) === 0 ? 0 : 1
}
