// Draws mutants of src with a seed, runs the tests nearest to each, and lists those that survive. It edits files in
// place, so run it in a clone of its own: node scripts/mutants.ts [count] [seed] [first]; `first` continues a run that
// was interrupted at that number. No CI: a run takes half an hour.

import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { createRandom } from '../test/support/random.ts'

type Mutant = { readonly file: string; readonly line: number; readonly before: string; readonly after: string }

const timeoutMs = 300_000
const mostTestFiles = 6
const levels = 8
const options = { timeout: timeoutMs, stdio: 'ignore' } as const

/** Each changes one thing in a line of code. */
const mutations: readonly (readonly [RegExp, (match: string) => string])[] = [
  [/ (?:>=|<=) /g, (match) => match.replace('=', '')],
  [/ [<>] /g, (match) => `${match.trimEnd()}= `],
  [/===/g, () => '!=='],
  [/!==/g, () => '==='],
  [/&&/g, () => '||'],
  [/\|\|/g, () => '&&'],
  [/ \+ /g, () => ' - '],
  [/ - /g, () => ' + '],
  [/\btrue\b/g, () => 'false'],
  [/\bfalse\b/g, () => 'true'],
  [/(?<![\w.$])\d[\d_]*(?![\w.])/g, (match) => String(Number(match.replaceAll('_', '')) + 1)],
  [/(?<=^\s*if \().*(?=\) (?:return|throw|continue|break|await|\w+\())/g, (match) => `!(${match})`],
  [/(?<=^\s*return )(?!undefined$).+[^{[(]$/g, () => 'undefined as never'],
]

function main(): void {
  const [count = 50, seed = 8, first = 1] = process.argv.slice(2).map(Number)
  const files = list('src/**/*.ts').filter((file) => !/\.test\.ts$|\/migrations\/|\/ranges\//.test(file))
  const tests = new Map(
    list('src/**/*.test.ts', 'test/{e2e,thorough}/*.test.ts').map((file) => [file, importsOf(file)]),
  )
  const imports = new Map([...files, ...list('test/support/*.ts')].map((file) => [file, importsOf(file)]))
  const all = files.flatMap(mutantsOf)
  const random = createRandom(seed)
  const survivors: string[] = []
  for (let n = 1; n <= count; n += 1) {
    const mutant = all[random.int(all.length)]
    if (mutant === undefined) throw new Error('there is nothing to change')
    if (n < first) continue
    const near = nearestTests(mutant.file, tests, imports)
    const isKilled = near.length > 0 && fails(mutant, near)
    const told = `${mutant.file}:${mutant.line}: ${mutant.before.trim()}  →  ${mutant.after.trim()}  (${near.join(' ')})`
    console.log(`${n} ${isKilled ? 'killed' : 'SURVIVED'} ${told}`)
    if (!isKilled) survivors.push(told)
  }
  console.log(`${survivors.length} of ${count} survived (seed ${seed}, ${all.length} possible)`)
  for (const survivor of survivors) console.log(`  ${survivor}`)
}

function list(...patterns: readonly string[]): readonly string[] {
  const pathspecs = patterns.map((pattern) => `:(glob)${pattern}`)
  return execFileSync('git', ['ls-files', ...pathspecs], { encoding: 'utf8' })
    .trim()
    .split('\n')
}

function importsOf(file: string): readonly string[] {
  const found = readFileSync(file, 'utf8').matchAll(/^(?!import type).*from '(\.[^']+)'/gm)
  return [...found].map(([, path = '']) => normalize(join(dirname(file), path)))
}

/** The tests that import the file, then those that import what imports it, and so on, until there are enough. */
function nearestTests(
  file: string,
  tests: ReadonlyMap<string, readonly string[]>,
  imports: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const found = new Set<string>()
  let reached: ReadonlySet<string> = new Set([file])
  for (let level = 0; level < levels && found.size < mostTestFiles; level += 1) {
    const reaches = ([, paths]: readonly [string, readonly string[]]) => paths.some((path) => reached.has(path))
    const near = [...tests].filter((entry) => closeness(entry[0], file) === 3 || reaches(entry)).map(([test]) => test)
    const closest = near.toSorted((a, b) => closeness(b, file) - closeness(a, file))
    // Whole services only where nothing smaller reaches it.
    const small = closest.filter((test) => test.startsWith('src/'))
    for (const test of small.length > 0 ? small : closest) found.add(test)
    reached = new Set([...reached, ...[...imports].filter(reaches).map(([path]) => path)])
  }
  return [...found].slice(0, mostTestFiles)
}

/** 3: the test of the same name; 2: beside it; 1: about the same thing, by the name of the folder. */
function closeness(test: string, file: string): number {
  if (test === file.replace(/\.ts$/, '.test.ts')) return 3
  if (dirname(test) === dirname(file)) return 2
  return test.includes(basename(dirname(file))) ? 1 : 0
}

function mutantsOf(file: string): readonly Mutant[] {
  const mutants: Mutant[] = []
  for (const [index, text] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (/^\s*(?:\/\/|\/?\*|import |export type |type |\||readonly )/.test(text)) continue
    // Strings are not code; what stands for them is as long.
    const code = text.replace(/'[^']*'|"[^"]*"|`[^`]*`|\/(?:[^/\\ ]|\\.)+\/[gimsuy]*|\/\/.*$/g, (part) =>
      'x'.repeat(part.length),
    )
    for (const [pattern, replace] of mutations) {
      for (const { index: at, 0: match } of code.matchAll(pattern)) {
        const original = text.slice(at, at + match.length)
        const after = text.slice(0, at) + replace(original) + text.slice(at + match.length)
        mutants.push({ file, line: index + 1, before: text, after })
      }
    }
  }
  return mutants
}

/** Whether a test notices, one file after the other. A run that takes too long fails. */
function fails({ file, line, after }: Mutant, tests: readonly string[]): boolean {
  const whole = readFileSync(file, 'utf8')
  try {
    writeFileSync(
      file,
      whole
        .split('\n')
        .with(line - 1, after)
        .join('\n'),
    )
    return tests.some((test) => spawnSync(process.execPath, ['test/run.ts', test], options).status !== 0)
  } finally {
    writeFileSync(file, whole)
  }
}

main()
