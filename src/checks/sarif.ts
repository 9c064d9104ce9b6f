// Findings as SARIF 2.1.0 (OASIS): GitHub, GitLab and editors show such a log beside the lines that it names.

import { type Coverage, type NotJudged, reasons } from '../sites/coverage.ts'
import type { DriftBasis } from './drift/drift.ts'
import { type Finding, findingKinds, severityOf } from './finding.ts'

/**
 * `version`: that of Docent. `coverage` becomes a property of the run, and a note for each reason; `drift`, with which sources the
 * docs were compared, another property.
 */
export function toSarif(findings: readonly Finding[], version: string, coverage: Coverage, drift?: DriftBasis) {
  const rules = Object.entries(findingKinds).map(([id, { about, severity }]) => ({
    id,
    shortDescription: { text: about },
    defaultConfiguration: { level: severity === 'breaking' ? 'error' : 'warning' },
  }))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'docent', version, rules } },
        invocations: [{ executionSuccessful: true, toolExecutionNotifications: coverage.notJudged.map(toNote) }],
        results: findings.map(toResult),
        properties: {
          coverage: { judged: coverage.judged, notJudged: coverage.notJudged },
          ...(drift ? { drift } : {}),
        },
      },
    ],
  }
}

function toNote({ reason, count, example }: NotJudged) {
  return { level: 'note', message: { text: `${count} not judged: ${reasons[reason]}; such as ${example}` } }
}

function toResult(finding: Finding) {
  const { kind, path, line, message, target, suggestion } = finding
  const sentence = `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`
  return {
    ruleId: kind,
    level: severityOf(finding) === 'breaking' ? 'error' : 'warning',
    message: { text: suggestion === undefined ? sentence : `${sentence} Did you mean ${suggestion}?` },
    locations: [{ physicalLocation: { artifactLocation: { uri: encodeURI(path) }, region: { startLine: line } } }],
    // Not the line, so that a host recognises an old problem after an edit above it.
    partialFingerprints: { 'docent/v1': JSON.stringify([kind, path, target]) },
  }
}
