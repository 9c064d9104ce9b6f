// Adds `pairs` again, which the release before 0004-dimensions reads and writes. A seal with another number than its
// counters have is not used there, so it counts the rows instead.

export const statements = [`ALTER TABLE seals ADD COLUMN IF NOT EXISTS pairs UInt64`] as const
