// The facts by which a change is judged to concern the docs, and the form of the judgement.

/** Facts of terms, of messages, of files and, beside the code only, of earlier commits. Counts are logarithms. */
export type Condition =
  | 'best'
  | 'fifth'
  | 'even'
  | 'rarest'
  | 'known'
  | 'removedKnown'
  | 'unknown'
  | 'flags'
  | 'removed'
  | 'feature'
  | 'internal'
  | 'fix'
  | 'wording'
  | 'trouble'
  | 'types'
  | 'breaking'
  | 'explained'
  | 'lines'
  | 'tests'
  | 'onlyTests'
  | 'imports'
  | 'declarations'
  | 'comments'
  | 'docComments'
  | 'notices'
  | 'files'
  | 'created'
  | 'open'
  | 'ofFiles'
  | 'ofFolders'
  | 'ofAll'
  | 'worstWord'
  | 'words'
  | 'expected'

export type Conditions = Readonly<Record<Condition, number>>

export type Judgement = {
  readonly bias: number
  readonly threshold: number
  readonly weights: Readonly<Partial<Record<Condition, number>>>
}
