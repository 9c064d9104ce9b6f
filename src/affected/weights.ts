// The weights of the engine: one set for every repository. `bench/affected.ts` finds them on the older half of public histories and
// judges them on the newer one; docs/decisions says how.

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
      bias: -1.956,
      threshold: 0.35,
      weights: {
        best: 0.918,
        fifth: -0.49,
        rarest: -0.302,
        known: 0.354,
        removedKnown: 0.421,
        unknown: -0.136,
        flags: 0.758,
        removed: -0.276,
        feature: 0.609,
        internal: -0.529,
        fix: -0.577,
        wording: 0.942,
        said: 0.214,
        lines: -0.081,
        tests: 0.627,
        onlyTests: -0.504,
        declarations: 0.187,
        comments: 1.223,
        notices: 0.307,
        files: 0.301,
        created: -0.492,
        open: 0.334,
        ofFiles: 0.655,
        ofFolders: 2.817,
        ofAll: -8.263,
        worstWord: 0.37,
        words: 0.237,
        expected: 0.631,
      },
    },
    apart: {
      bias: -2.35,
      threshold: 0.3773,
      weights: {
        best: 1.058,
        fifth: -0.555,
        rarest: -0.321,
        known: 0.466,
        removedKnown: 0.596,
        unknown: -0.082,
        flags: 0.565,
        removed: -0.338,
        feature: 0.807,
        internal: -0.894,
        fix: -0.991,
        wording: 0.922,
        said: 0.084,
        lines: -0.172,
        tests: 0.495,
        onlyTests: -0.498,
        declarations: 0.156,
        comments: 1.218,
        notices: 0.251,
        files: 0.791,
        created: -0.582,
        open: 0.794,
      },
    },
  },
}
