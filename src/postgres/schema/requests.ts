// The tables that requests need: keys, idempotency records, and rate limits.

interface KeyTable {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, hexadecimal. The key itself is not stored. */
  readonly digest: string
  readonly hint: string
  readonly scope: 'read' | 'write' | 'admin'
  /** null: all projects. */
  readonly project_ids: string[] | null
  readonly created_at: Date
  last_used_at: Date | null
  revoked_at: Date | null
  /** null: never. */
  expires_at: Date | null
  /** Addresses and CIDRs; null: from anywhere. */
  readonly allowed_addresses: string[] | null
  /** The key that replaced it in a rotation. */
  replaced_by: string | null
}

interface IdempotencyTable {
  readonly principal: string
  readonly key: string
  readonly request_hash: string
  readonly answer: string
  readonly created_at: Date
}

/** rate-limiter-flexible defines the columns. */
interface RateLimitTable {
  readonly key: string
  points: number
  /** Milliseconds since 1970. */
  expire: number | null
}

export interface RequestsSchema {
  keys: KeyTable
  idempotency: IdempotencyTable
  rate_limits: RateLimitTable
}
