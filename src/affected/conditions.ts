// The facts by which a change is judged to concern the docs, and the form of the judgement.

/** Facts of terms, of messages, of files and, beside the code only, of earlier commits. Counts are logarithms. */
export type Condition =
  | 'best'
  | 'fifth'
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
  | 'said'
  | 'lines'
  | 'tests'
  | 'onlyTests'
  | 'declarations'
  | 'comments'
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
