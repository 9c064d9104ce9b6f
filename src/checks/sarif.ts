// Findings as SARIF 2.1.0 (OASIS): GitHub, GitLab and editors show such a log beside the lines that it names.

import { type Coverage, type NotJudged, reasons } from '../sites/coverage.ts'
import {
  type Finding,
  findingKinds,
  severityOf,
  outdatedAbout,
  outdatedKind,
  ungroundedAbout,
  ungroundedKind,
} from './finding.ts'

/** A name or value that a change adds, and that is found nowhere. */
type AddedTerm = { readonly path: string; readonly line: number; readonly term: string }

/** `version`: that of Docent. `drift`: with which sources the docs were compared. */
type More = {
  readonly version: string
  readonly ungrounded: readonly AddedTerm[]
  readonly outdated?: readonly { readonly path: string; readonly source: string }[]
  readonly drift?: object | null | undefined
}

/**
 * `coverage` becomes a property of the run, and a note for each reason; `drift` another property. Terms that are not found in the
 * sources, and translations that are behind, are notes: a host shows them, and they fail nothing.
 */
export function toSarif(findings: readonly Finding[], coverage: Coverage, more: More) {
  const { version, ungrounded, drift, outdated = [] } = more
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
        results: [...findings.map(toResult), ...ungrounded.map(toAdded), ...outdated.map(toOutdated)],
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

function toResult(finding: Finding) {
  const { kind, message, target, suggestion } = finding
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
  return {
    ruleId: kind,
    level: severityOf(finding) === 'breaking' ? 'error' : 'warning',
    message: { text: suggestion === undefined ? sentence : `${sentence} Did you mean ${suggestion}?` },
    ...placeOf(finding, [kind, target]),
  }
}

function toAdded(added: AddedTerm) {
  const message = { text: `Not found in the sources: ${added.term}.` }
  return { ruleId: ungroundedKind, level: 'note', message, ...placeOf(added, [ungroundedKind, added.term]) }
}

function toOutdated({ path, source }: { readonly path: string; readonly source: string }) {
  const message = { text: `This translation is behind ${source}.` }
  return { ruleId: outdatedKind, level: 'note', message, ...placeOf({ path, line: 1 }, [outdatedKind, source]) }
}

function placeOf({ path, line }: Pick<Finding, 'path' | 'line'>, [kind, target]: readonly [string, string]) {
  return {
    locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(path) }, region: { startLine: line } } }],
    // Not the line, so that a host recognises an old problem after an edit above it.
    partialFingerprints: { 'docent/v1': JSON.stringify([kind, path, target]) },
  }
}
