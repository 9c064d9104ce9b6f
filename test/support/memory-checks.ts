// Checks a workspace in memory as the runs of jobs check the repository: what is new since the beginning, and what is old.

import type { Checks, Problem } from '../../src/agent/checks.ts'
import { compareChecks } from '../../src/checks/compare.ts'
import type { Finding } from '../../src/checks/finding.ts'
import { findLosses } from '../../src/checks/losses.ts'
import { findMoves } from '../../src/checks/moves.ts'
import { coverageOfChange } from '../../src/checks/coverage.ts'
import { createSuggester, type Suggester } from '../../src/checks/suggest/suggest.ts'
import { checkFiles } from './check-files.ts'
import { memoryTree, type SiteFiles } from './docs-sites.ts'
import type { MemoryWorkspace } from './memory-workspace.ts'

export function createMemoryChecks(workspace: MemoryWorkspace): Checks {
  const base = workspace.texts()
  const known = new Map<string, ReturnType<typeof checkFiles>>()
  const check = (files: SiteFiles) => {
    const key = JSON.stringify(files)
    const result = known.get(key) ?? checkFiles(memoryTree(files))
    known.set(key, result)
    return result
  }
  return {
    find: async ({ which, isWanted, offset, limit }) => {
      const now = workspace.texts()
      const [before, after] = [await check(base), await check(now)]
      const moves = findMoves(memoryTree(base).entries(), memoryTree(now).entries())
      const { introduced, remaining } = compareChecks(before.findings, after.findings, moves)
      const wanted = { new: introduced, old: remaining }
      const fitting = (all: readonly Finding[]) => all.filter(({ path }) => isWanted(path))
      return {
        counts: { new: fitting(wanted.new).length, old: fitting(wanted.old).length },
        problems: fitting(wanted[which])
          .slice(offset, offset + limit)
          .map((finding) => toProblem(finding, createSuggester(after))),
        losses: findLosses(before, after, moves).filter(({ path }) => isWanted(path)),
        coverage: coverageOfChange(
          { tree: memoryTree(base), result: before },
          { tree: memoryTree(now), result: after },
        ),
      }
    },
  }
}

function toProblem(finding: Finding, suggest: Suggester): Problem {
  const { path, line, kind, target, message } = finding
  return { path, line, kind, target, message, suggestion: suggest(finding) ?? null }
}
