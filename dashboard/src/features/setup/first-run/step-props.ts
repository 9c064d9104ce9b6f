// What the content of a step gets.

import type { Project } from '../../../api/projects.ts'

export type StepProps = {
  readonly project: Project
  readonly isDone: boolean
  readonly onNext: () => void
}
