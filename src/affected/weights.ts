// The weights of the engine: one set for every repository. `bench/affected-fit.ts` fits the judgement on the older half of
// public histories, and `bench/affected.ts` measures all on the newer one; docs/decisions says how.

import type { Judgement } from './conditions.ts'
import type { Mode, TermPlace } from './types.ts'

export type Weights = {
  /** Weights of a term in the change. */
  readonly query: {
    readonly removed: number
    /** A term that is as often removed as added: it only moved. */
    readonly moved: number
    readonly hunk: number
    readonly path: number
    readonly subject: number
    readonly body: number
    readonly declared: number
    readonly quoted: number
    readonly marked: number
    readonly test: number
    readonly segment: number
    readonly word: number
  }
  /** Weights of a term on a page, by its place. */
  readonly place: Readonly<Record<TermPlace | 'path', number>>
  /** Weights of the parts of a term of a page. */
  readonly pageSegment: number
  readonly pageWord: number
  readonly saturation: number
  readonly length: number
  readonly rarity: number
  readonly mode: Readonly<Record<Mode, ModeWeights>>
  readonly concerns: Readonly<Record<Mode, Judgement>>
}

export type ModeWeights = {
  readonly terms: number
  readonly file: number
  readonly folder: number
  readonly often: number
  readonly place: number
}

export const weights: Weights = {
  query: {
    removed: 0.7,
    moved: 0.1,
    hunk: 0.5,
    path: 1.5,
    subject: 2,
    body: 0.5,
    declared: 1.5,
    quoted: 1.3,
    marked: 1.5,
    test: 0.3,
    segment: 0.7,
    word: 0.4,
  },
  place: { inline: 1, block: 0.4, prose: 0.8, operation: 2, heading: 1.5, link: 0.3, object: 1, path: 2 },
  pageSegment: 0.7,
  pageWord: 0.4,
  saturation: 1.2,
  length: 0.4,
  rarity: 2,
  mode: {
    beside: { terms: 1, file: 1, folder: 0.5, often: 0.2, place: 0.3 },
    apart: { terms: 1, file: 0, folder: 0, often: 0.4, place: 0 },
  },
  concerns: {
    beside: {
      bias: 0.609,
      threshold: 0.3735,
      weights: {
        best: 0.272,
        fifth: 0.171,
        even: -1.942,
        rarest: -0.361,
        known: 0.397,
        removedKnown: 0.468,
        unknown: -0.133,
        flags: 0.761,
        removed: -0.319,
        feature: 0.568,
        internal: -0.533,
        fix: -0.545,
        wording: 0.791,
        trouble: -0.591,
        types: -0.643,
        breaking: 1.178,
        explained: 0.094,
        lines: -0.189,
        tests: 0.532,
        onlyTests: -0.82,
        imports: -2.105,
        declarations: 0.163,
        comments: 0.478,
        docComments: 0.311,
        notices: 0.371,
        files: 0.373,
        created: -0.493,
        open: 0.231,
        ofFiles: 0.949,
        ofFolders: 2.465,
        ofAll: -7.078,
        worstWord: 0.307,
        words: 0.262,
        expected: 0.615,
      },
    },
    apart: {
      bias: -0.728,
      threshold: 0.3571,
      weights: {
        best: 0.618,
        fifth: -0.141,
        even: -1.349,
        rarest: -0.369,
        known: 0.519,
        removedKnown: 0.621,
        unknown: -0.069,
        flags: 0.516,
        removed: -0.335,
        feature: 0.97,
        internal: -0.787,
        fix: -0.875,
        wording: 0.874,
        trouble: -0.774,
        types: -0.512,
        breaking: 1.347,
        explained: 0.049,
        lines: -0.274,
        tests: 0.443,
        onlyTests: -0.758,
        imports: -2.817,
        declarations: 0.118,
        comments: 0.531,
        docComments: 0.31,
        notices: 0.29,
        files: 0.86,
        created: -0.613,
        open: 0.786,
      },
    },
  },
}
