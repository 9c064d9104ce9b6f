// The tables of codes in the reference, made from the table in src/lib/failure.ts.

import type { FailureCode, failures } from '../../lib/failure.ts'

type Meaning = (typeof failures)[FailureCode]

/** A Markdown table: code, what it means, what to do. */
export function codeTable(codes: Readonly<Record<string, Meaning>>): string {
  const rows = Object.entries(codes).map(([code, { title, todo }]) => `| \`${code}\` | ${title} | ${todo} |`)
  return ['| code | meaning | what to do |', '| --- | --- | --- |', ...rows].join('\n')
}

/** As `codeTable`, with the HTTP status in front. */
export function statusTable(codes: Readonly<Record<string, Meaning>>): string {
  const rows = Object.entries(codes).map(
    ([code, { status, title, todo }]) => `| ${status} | \`${code}\` | ${title} | ${todo} |`,
  )
  return ['| status | code | meaning | what to do |', '| --- | --- | --- | --- |', ...rows].join('\n')
}
