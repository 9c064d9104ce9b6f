// `docent project policy`: says which paths jobs of a project may change, and what the texts of local files would get.

import { readFile } from 'node:fs/promises'
import { posix, relative, sep } from 'node:path'
import type { Command } from 'commander'
import type { Answer, AskedFile } from '../../jobs/policy/ask/ask.ts'
import type { PathVerdict } from '../../jobs/policy/judge-path.ts'
import { plainText } from '../../lib/plain-text.ts'
import { withProject } from '../api/with-api.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import { printTable } from '../output.ts'
import { addProjectOption } from '../project-option.ts'

type Options = {
  readonly project?: string
  readonly file?: readonly string[]
  readonly root?: string
  readonly json?: true
}
type Verdicts = {
  readonly paths: readonly PathVerdict[]
  readonly files: Answer['files']
  readonly basis: Answer['basis'] | null
}

export function definePolicy(policy: Command, context: CommandContext): void {
  addProjectOption(policy)
    .option('--file <files...>', 'judge the texts of these local files, too')
    .option('--root <folder>', 'the local folder of the repository (default: the current one)')
    .option(
      '--json',
      'print a JSON array of the verdicts of paths; with --file an object with `files` and their `basis`',
    )
    .action(async (paths: readonly string[], options: Options) => {
      const files = await Promise.all((options.file ?? []).map((file) => readLocal(file, options.root ?? '.')))
      if (paths.length + files.length === 0) throw usage('Name a path, or a local file with --file.')
      const { body } = await withProject(context, options, (api, id) =>
        api.send('POST', `/v1/projects/${encodeURIComponent(id)}/policy/test`, { paths, files }),
      )
      const verdicts = JSON.parse(body) as Verdicts
      if (options.json) context.output.print(JSON.stringify(files.length === 0 ? verdicts.paths : verdicts))
      else printVerdicts(context, verdicts)
    })
}

/** The path in the repository is the one below `root`. */
async function readLocal(file: string, root: string): Promise<AskedFile> {
  const path = relative(root, file).split(sep).join(posix.sep)
  if (path.startsWith('..')) throw usage(`${file} is not in ${root}: name the folder of the repository with --root.`)
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw usage(`The file cannot be read: ${error.message}`)
  })
  return { path, text }
}

function printVerdicts({ output }: CommandContext, { paths, files, basis }: Verdicts): void {
  const rows = [
    ...paths.map(({ path, result, message }) => [path, result, message]),
    ...files.flatMap(({ path, result, line, message, findings, hosts, more }) => [
      [path, result, atLine(line, message)],
      ...findings.slice(1).map((one) => ['', '', atLine(one.line, one.message)]),
      ...hosts.map((one) => ['', '', atLine(one.line, `leads to ${one.host}`)]),
      ...(more === 0 ? [] : [['', '', `and ${more} more`]]),
    ]),
  ]
  printTable(
    output,
    ['PATH', 'RESULT', 'RULE'],
    rows.map((row) => row.map(plainText)),
  )
  if (basis) output.print(`\nThese verdicts rest on: ${plainText(basis.message)}`)
}

function atLine(line: number | null, message: string): string {
  return line === null ? message : `line ${line} ${message}`
}
