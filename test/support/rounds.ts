// How thorough the tests are. Usually random tests run a few rounds, and processes are killed at a third of the places where they
// can be. TEST_ROUNDS=10, as `npm run test:thorough` sets it: ten times the rounds, every place, and every forge.

/** A factor. */
const factor = Number(process.env['TEST_ROUNDS']) || 1

export const isThorough = factor > 1

/** How many rounds a random test runs that usually runs so many. */
export function rounds(usual: number): number {
  return Math.max(1, Math.round(usual * factor))
}

/** Every third of them, from the one with this index on; all of them in a thorough run. */
export function sampled<T>(all: readonly T[], from = 0): readonly T[] {
  return isThorough ? all : all.filter((_, at) => at % 3 === from)
}
