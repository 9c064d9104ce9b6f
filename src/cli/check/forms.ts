// The forms in which a check is printed: for people, for programs, and for the code hosts that run it.

import { randomUUID } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { posix, relative, resolve, sep } from 'node:path'
import { type Finding, severityOf } from '../../checks/finding.ts'
import { toCodeQuality } from '../../checks/hosts/code-quality.ts'
import { type Note, toNotes } from '../../checks/hosts/notes.ts'
import { toSarif } from '../../checks/hosts/sarif.ts'
import { toSummary, toWorkflowCommands } from '../../checks/hosts/workflow-commands.ts'
import { countNotJudged } from '../../sites/coverage.ts'
import { version } from '../../service/version.ts'
import type { CommandContext } from '../context.ts'
import { usage } from '../exit.ts'
import type { Grounded } from './grounding.ts'
import { type Checked, describeSites, printReport } from './report.ts'
import { toJson as toJsonOfTranslations } from './translations.ts'

export const forms = ['text', 'json', 'sarif', 'github', 'codequality'] as const
export type Form = (typeof forms)[number]

export type FormOptions = { readonly format?: Form; readonly json?: true; readonly sarif?: true }

/** Throws `invalid_input` for two forms. */
export function formOf({ format, json, sarif }: FormOptions): Form {
  const named = [format, json && ('json' as const), sarif && ('sarif' as const)].filter((one) => one !== undefined)
  if (named.length > 1) throw usage('Use one of --format, --json and --sarif.')
  return named[0] ?? 'text'
}

/** `folder`: the one that was checked. Hosts know files by their paths from the folder in which the command runs. */
export async function print(
  { output, environment }: CommandContext,
  checked: Checked,
  { form, folder }: { readonly form: Form; readonly folder: string },
): Promise<void> {
  if (form === 'json') return output.print(JSON.stringify(toJson(checked)))
  if (form === 'text') return printReport(output, checked)
  const notes = placed(notesOf(checked), folder)
  const { coverage, drift } = checked
  if (form === 'sarif') {
    return output.print(JSON.stringify(toSarif(notes, { version, coverage, drift: drift?.basis }), null, 2))
  }
  if (form === 'codequality') return output.print(JSON.stringify(toCodeQuality(notes), null, 2))
  for (const command of toWorkflowCommands(notes)) output.print(command)
  // A file could have the name of a command.
  const end = randomUUID()
  output.print(`::stop-commands::${end}`)
  printReport(output, checked)
  output.print(`::${end}::`)
  const { GITHUB_STEP_SUMMARY: summary = '' } = environment
  if (summary !== '') await appendFile(summary, toSummary(notes))
}

function notesOf({ findings, grounded, translations }: Checked): readonly Note[] {
  return toNotes({ findings, ungrounded: grounded?.ungrounded ?? [], outdated: translations?.outdated ?? [] })
}

function placed(notes: readonly Note[], folder: string): readonly Note[] {
  const within = relative(resolve('.'), folder).split(sep).join('/')
  if (within === '' || within.startsWith('..')) return notes
  return notes.map((note) => ({ ...note, path: posix.join(within, note.path) }))
}

function toJson(checked: Checked) {
  const { sites, pages, findings, ignored, coverage, site, drift, translations, grounded, compared } = checked
  const shown = (found: readonly Finding[]) => found.map((one) => ({ ...one, severity: severityOf(one) }))
  return {
    sites: describeSites(sites),
    pages,
    findings: shown(findings),
    ignored,
    coverage: { ...coverage, site },
    ...(drift ? { drift: drift.basis } : {}),
    ...(translations ? { translations: toJsonOfTranslations(translations) } : {}),
    ...(grounded ? { ungrounded: grounded.ungrounded, grounding: toGrounding(grounded) } : {}),
    ...(compared
      ? { fixed: shown(compared.fixed), remaining: compared.remaining.length, losses: compared.losses }
      : {}),
  }
}

/** As `GET …/checks` of a job has it. */
function toGrounding({ missing, coverage }: Grounded) {
  return { judged: coverage.judged, notJudged: countNotJudged(coverage), missing }
}
