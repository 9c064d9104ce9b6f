// Checks a tree in this thread, for tests that are not about threads.

import { checkTree, type CheckOptions, type CheckResult } from '../../src/checks/check-tree.ts'
import { readConfig } from '../../src/sites/config-strings.ts'
import { readData } from '../../src/checks/facts/read-data.ts'
import { readPage } from '../../src/checks/facts/read-page.ts'
import type { Finding } from '../../src/checks/finding.ts'
import type { SiteTree, TreeFile } from '../../src/sites/tree.ts'

export function checkFiles(tree: SiteTree, options: Pick<CheckOptions, 'sites'> = {}): Promise<CheckResult> {
  const text = async ({ path }: TreeFile) => new TextDecoder().decode(await tree.read(path))
  return checkTree(tree, {
    ...options,
    signal: new AbortController().signal,
    facts: {
      page: async (file, syntax) => readPage(syntax, await text(file)),
      data: async (file) => readData(file.path, await text(file)),
      config: async (file) => readConfig(file.path, await text(file)),
    },
  })
}

export function showFindings(findings: readonly Finding[]): string {
  return findings.map(({ path, line, kind, target }) => `${path}:${line} ${kind} ${target}`).join('\n')
}
