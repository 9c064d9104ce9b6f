// The version of the facts, by which facts that were kept in a file are recognised.

/** A hash of the facts of sample pages: the test fails, and names the new one, when they change. */
export const factsVersion = '50b02c650017'
