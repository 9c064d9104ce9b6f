// Chooses the script that carries out an instruction.

import type { Instruction } from './instruction.ts'
import type { Memo, Script } from './script.ts'
import { fixProblems } from './scripts/fix-problems.ts'
import { followChanges } from './scripts/follow-changes.ts'
import { listPages } from './scripts/list-pages.ts'
import { deletePage, movePage } from './scripts/pages.ts'
import { replaceTerm } from './scripts/replace-term.ts'
import { setField } from './scripts/set-field.ts'

export function startScript(instruction: Instruction, memo: Memo): Script {
  switch (instruction.kind) {
    case 'replace':
      return replaceTerm(instruction, memo)
    case 'move':
      return movePage(instruction)
    case 'delete':
      return deletePage(instruction)
    case 'fix':
      return fixProblems(instruction)
    case 'list':
      return listPages(instruction)
    case 'follow':
      return followChanges(instruction, memo)
    case 'field':
    default:
      return setField(instruction)
  }
}
