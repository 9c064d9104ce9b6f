// A check as SARIF 2.1.0 (OASIS): GitHub and editors show such a log beside the lines that it names.

import { type Coverage, type NotJudged, reasons } from '../../sites/coverage.ts'
import { findingKinds, outdatedAbout, outdatedKind, ungroundedAbout, ungroundedKind } from '../finding.ts'
import type { Note } from './notes.ts'

/** `version`: that of Docent. `drift`: with which sources the docs were compared. */
type More = { readonly version: string; readonly coverage: Coverage; readonly drift?: object | null | undefined }

/** `coverage` becomes a property of the run, and a note for each reason; `drift` another property. */
export function toSarif(notes: readonly Note[], { version, coverage, drift }: More) {
  const rules = Object.entries(findingKinds).map(([id, { about, severity }]) =>
    toRule(id, about, severity === 'breaking' ? 'error' : 'warning'),
  )
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'docent',
            version,
            rules: [
              ...rules,
              toRule(ungroundedKind, ungroundedAbout, 'note'),
              toRule(outdatedKind, outdatedAbout, 'note'),
            ],
          },
        },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: coverage.notJudged.map(toNote) }],
        results: notes.map(toResult),
        properties: {
          coverage: { judged: coverage.judged, notJudged: coverage.notJudged },
          ...(drift ? { drift } : {}),
        },
      },
    ],
  }
}

function toRule(id: string, about: string, level: string) {
  return { id, shortDescription: { text: about }, defaultConfiguration: { level } }
}

function toNote({ reason, count, example }: NotJudged) {
  return { level: 'note', message: { text: `${count} not judged: ${reasons[reason]}; such as ${example}` } }
}

function toResult({ path, line, kind, level, text, target }: Note) {
  return {
    ruleId: kind,
    level,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(path) }, region: { startLine: line } } }],
    // A host recognises an old problem by it.
    partialFingerprints: { 'docent/v1': JSON.stringify([kind, path, target]) },
  }
}
