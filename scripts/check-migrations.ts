// Checks that a migration of either engine that has landed never changes, and that new ones only add: processes of the
// release before keep running beside those of the new one. `scripts/migrations.txt` has a line for each: its name, a
// digest of its code without comments, and a reason if it does more than add. `npm run migrations:add` adds the lines of
// new ones. Prints every finding and exits with 1.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

export type MigrationFile = { readonly name: string; readonly text: string }
type Line = { readonly digest: string; readonly reason: string }

/** Changes that break what an earlier release reads or writes. Widening an enum is one, too: a reason must say so. */
const more = /\b(?:drop|rename|truncate|modify)\b|\balter column \S+ (?:set data type|type|set not null)\b/gi

export function judge(files: readonly MigrationFile[], landed: string): readonly string[] {
  const lines = parse(landed)
  const names = new Set(files.map(({ name }) => name))
  const gone = [...lines.keys()].filter((name) => !names.has(name))
  return [
    ...gone.map((name) => `${name} has landed and is missing: restore the file.`),
    ...files.flatMap((file) => judgeOne(file, lines)),
  ]
}

function judgeOne({ name, text }: MigrationFile, lines: ReadonlyMap<string, Line>): readonly string[] {
  const line = lines.get(name)
  const found = [...new Set(Array.from(toCode(text).matchAll(more), ([words]) => `"${words}"`))]
  const findings = []
  if (found.length > 0 && !line?.reason) {
    findings.push(`${name} has ${found.join(', ')}, but a migration only adds: leave the old column or table in place.`)
  }
  if (line === undefined) {
    const later = [...lines.keys()].filter((one) => folderOf(one) === folderOf(name) && one > name)
    if (later.length > 0)
      findings.push(`${name} comes before ${later.join(', ')}, which landed: give it the next number.`)
    findings.push(`${name} is new: when it is ready to land, run \`npm run migrations:add\` and commit the line.`)
  } else if (line.digest !== digestOf(text)) {
    findings.push(
      `${name} has changed since it landed: restore it, and add a migration with the next number. If it has not landed, delete its line in scripts/migrations.txt and run \`npm run migrations:add\`.`,
    )
  }
  return findings
}

/** The lines with those of new files, in order. */
export function addLines(files: readonly MigrationFile[], landed: string): string {
  const lines = parse(landed)
  const added = files.filter(({ name }) => !lines.has(name)).map(({ name, text }) => `${name} ${digestOf(text)}`)
  return [...landed.split('\n').filter((line) => line !== ''), ...added].toSorted().join('\n').concat('\n')
}

function parse(landed: string): ReadonlyMap<string, Line> {
  const lines = landed.split('\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const [name = '', digest = '', ...reason] = line.split(' ')
      return [name, { digest, reason: reason.join(' ') }]
    }),
  )
}

const folderOf = (name: string) => name.slice(0, name.indexOf('/'))

/** Without comments, in the words of the code only: formatting changes nothing. */
const toCode = (text: string) =>
  text
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const digestOf = (text: string) => createHash('sha256').update(toCode(text)).digest('hex').slice(0, 16)

function readFiles(): readonly MigrationFile[] {
  return ['clickhouse', 'postgres'].flatMap((engine) => {
    const folder = new URL(`../src/${engine}/migrations/`, import.meta.url)
    const found = readdirSync(folder).filter((file) => file.endsWith('.ts'))
    return found.map((file) => ({
      name: `${engine}/${basename(file, '.ts')}`,
      text: readFileSync(new URL(file, folder), 'utf8'),
    }))
  })
}

function main(args: readonly string[]): void {
  const place = new URL('migrations.txt', import.meta.url)
  const files = readFiles()
  if (args.includes('--add')) writeFileSync(place, addLines(files, readFileSync(place, 'utf8')))
  const findings = judge(files, readFileSync(place, 'utf8'))
  for (const finding of findings) process.stdout.write(`${finding}\n`)
  if (findings.length > 0) process.exitCode = 1
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
