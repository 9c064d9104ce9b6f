// The properties of every step after the first.

import type { Project } from '../../../api/projects.ts'

export type StepProps = {
  readonly project: Project
  readonly isDone: boolean
  readonly onNext: () => void
}
