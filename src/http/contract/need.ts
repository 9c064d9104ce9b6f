// The needs of operations: what a caller must have. An operation is declared with one (`operation.ts`); `request/auth.ts`
// enforces it before the handler, and the document shows it.

import type { Scope } from '../../projects/keys.ts'
import type { Reach } from '../../projects/grants.ts'

type Rule = {
  readonly scope: Scope
  /** Beyond the projects that the caller sees. */
  readonly reach?: Reach
  /** Does a shared link open it? */
  readonly shared?: true
  /** Begins the description in the document. */
  readonly words?: string
}

/**
 * `read`, `write` and `admin` are for the project in the path, which the caller must see; without one, the response holds
 * what the caller sees. `session` takes the cookie of a session, and acts on its person alone; `key` takes no cookie.
 */
const rules = {
  public: undefined,
  session: undefined,
  statistics: { scope: 'read', shared: true },
  read: { scope: 'read' },
  key: { scope: 'read', words: 'Needs a key: the cookie of a session is refused.' },
  write: { scope: 'write' },
  admin: { scope: 'admin', words: 'Needs the scope `admin`.' },
  'all projects': {
    scope: 'admin',
    reach: 'all projects',
    words: 'Needs a key with the scope `admin` for all projects.',
  },
  'whole service': {
    scope: 'admin',
    reach: 'whole service',
    words:
      'Needs an admin who is signed in, or a key with the scope `admin` that is not limited to projects, addresses or time.',
  },
} as const satisfies Readonly<Record<string, Rule | undefined>>

export type Need = keyof typeof rules

/** Undefined: the caller need not be known. */
export function ruleOf(need: Need): Rule | undefined {
  return rules[need]
}

/** Where the need is, in a route and in the document. */
export const needField = 'x-needs'
export type Declared = { readonly [needField]: Need }
