// Turns git's messages into codes, in one table. Git exits with 128 for nearly every failure, so its message is the
// only evidence; LC_ALL keeps it English. Text from the remote is cleaned before it is shown.

import { Failure, type FailureCode } from '../../lib/failure.ts'
import { sanitise } from '../../lib/outbound/sanitise.ts'
import { hostRefusal } from './refusals.ts'

type Phrase = readonly [words: RegExp, code: FailureCode | 'damaged', message: string]

const unreachable = 'repository_unreachable'
const unauthorized = 'repository_unauthorized'
const invalid = 'repository_invalid'
const tooLarge = 'repository_too_large'

/** Messages of git about a host that redirects. */
export const redirectWords = /unable to update url base from redirection|error: 30[12378]\b/i

const phrases: readonly Phrase[] = [
  [/fsck error|fsckObjects|error: object [0-9a-f]+: /, invalid, 'The repository holds objects that git refuses'],
  [/mismatched algorithms|object format/i, invalid, 'The repository uses another object format (SHA-256)'],
  [/attempting to allocate|out of memory|unable to create thread/i, tooLarge, 'The repository holds a huge object'],
  [/No space left on device|Disk quota exceeded/i, 'unavailable', 'The disk of the service is full'],
  [/detected dubious ownership/, unauthorized, 'The folder of the repository belongs to another user'],
  [/Authentication failed|could not read (Username|Password)|error: 40[13]\b/i, unauthorized, 'Access was refused'],
  [/No user exists for uid/, unreachable, 'ssh needs an entry in /etc/passwd for the user of the service'],
  [/Permission denied \(|Too many authentication failures/, unauthorized, 'The host refused the key'],
  [/denied to (deploy key|user)|marked as read.only/i, unauthorized, 'The key lacks a right on the repository'],
  [redirectWords, unreachable, 'The address redirects; use the new one'],
  [
    /repository ('.*' )?not found|error: 404\b/i,
    unreachable,
    'There is no repository at the address, or it is private',
  ],
  [/does not appear to be a git repository|not valid: is this a git/i, unreachable, 'No git repository is there'],
  [
    /invalid server response|unable to parse|protocol error|bad line length/i,
    unreachable,
    'No git server answers there',
  ],
  [/transport '.*' not allowed/, 'invalid_input', 'The transport of the address is not allowed'],
  // The promised pack cannot be built: a ref moved meanwhile, or the repository lost objects. Another fetch shows
  // which.
  [/not our ref/, 'damaged', 'An object is missing'],
  [/remote error:/, unreachable, 'The host answered with an error'],
  [/certificate|SSL|TLS/, unreachable, 'The certificate of the host was refused'],
  [/error: 5\d\d\b/, unreachable, 'The host of the repository failed'],
  [/error: 429\b/, 'forge_rate_limited', 'The host of the repository asks to wait'],
  [
    /Could ?n[o']t resolve|Failed to connect|Connection (refused|reset|timed out)/i,
    unreachable,
    'The host did not answer',
  ],
  [
    /Operation too slow|timed out|transfer closed|early EOF|unexpected disconnect/i,
    unreachable,
    'The host stopped answering',
  ],
  [/remote end hung up|RPC failed|unable to access|invalid index-pack output/i, unreachable, 'The connection broke'],
  // The last line of every failure over ssh.
  [/Could not read from remote repository/, unreachable, 'The host refused, or the connection broke'],
  [/bad (numeric )?config|unknown repository extension|expected git repo version/i, 'damaged', 'A file is broken'],
  [
    /not a git repository|bad object|is corrupt|corrupted|is empty|does not match index/i,
    'damaged',
    'A file is broken',
  ],
  [/far too short|is truncated|cannot be accessed|missing (blob|tree|commit)/i, 'damaged', 'A file is broken'],
  [/unable to read|could not read|failed to read|Could not parse object|inflate:/i, 'damaged', 'A file is broken'],
  [
    /bad signature|unresolved deltas|invalid sha1 pointer|bad ref|broken ref|reference broken/i,
    'damaged',
    'A ref is broken',
  ],
  [/cannot lock ref|Unable to create '.*\.lock'|unable to resolve reference/i, 'damaged', 'A ref is locked'],
  [
    /not a (valid|tree) object|bad tree|unknown revision|Not a valid (commit|object)/i,
    'damaged',
    'An object is missing',
  ],
]

/** Git 2.42 and later says so, mostly on the side of the host. */
const tooDeep = /exceeded maximum allowed tree depth/

const otherKey = /Host key verification failed|host key is known/i

/** Messages of git after which the host's own words explain a refusal. */
const isRefusal = /error: 403\b|Could not read from remote repository/

const damage = Symbol('damaged mirror')
const otherHost = Symbol('another key of the host')
const httpRefusal = Symbol('refused over HTTP')

/**
 * Returns the failure that git's message means. For an unknown message, `what` begins the text and `unknown` is the
 * code: a command that connects to a host blames the host rather than the service.
 */
export function gitFailure(stderr: string, what: string, unknown: FailureCode = 'internal'): Failure {
  const words = sanitise(stderr)
  const own = stderr.replace(/^remote:.*$/gm, '')
  const refused = isRefusal.test(own) ? hostRefusal(stderr) : undefined
  if (refused !== undefined) return asRefusal(own, refused.code, `${refused.message}. Git says: ${words}`)
  if (otherKey.test(own)) return anotherHost(words)
  if (tooDeep.test(stderr)) return new Failure(tooLarge, `The repository nests folders too deeply. Git says: ${words}`)
  const found = phrases.find(([pattern]) => pattern.test(own))
  if (found === undefined) return new Failure(unknown, `${what} failed. Git says: ${words}`)
  const [, code, message] = found
  if (code === 'damaged') return damaged(words)
  return asRefusal(own, code, `${message}. Git says: ${words}`)
}

/** Hosts send 401 and 403 also while they are overloaded or restarted, so these two may pass. */
function asRefusal(own: string, code: FailureCode, message: string): Failure {
  const isHttp = code === unauthorized && /Authentication failed|error: 40[13]\b/.test(own)
  return new Failure(code, message, isHttp ? { cause: httpRefusal } : {})
}

/** Did the host refuse a command of git with 401 or 403? It may pass: the API of the forge says more. */
export function isHttpRefusal(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.cause === httpRefusal
}

/**
 * Returns the failure for a mirror that cannot be used; the next fetch recreates it. A mirror is a cache, so nothing is
 * lost and callers may try again.
 */
export function damaged(words: string): Failure {
  const message = `The mirror of the repository is damaged and will be made again. Git says: ${words}`
  return new Failure('unavailable', message, { cause: damage })
}

/** Who answers is perhaps not the host. ssh's warning is long, and names files of the service: only the key is shown. */
function anotherHost(words: string): Failure {
  const shown = /\bSHA256:[A-Za-z0-9+/]{43}/.exec(words)?.[0]
  const key = shown === undefined ? '' : ` Its key is ${shown}.`
  return new Failure(unauthorized, `The host has another key than the pinned one.${key}`, { cause: otherHost })
}

export function isOtherHost(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.cause === otherHost
}

export function isDamage(thrown: unknown): boolean {
  return thrown instanceof Failure && thrown.cause === damage
}

const momentary = new RegExp(
  [
    'error: 5\\d\\d\\b|HTTP 5\\d\\d|Empty reply|Recv failure|Connection reset|transfer closed|early EOF|unexpected disconnect',
    'remote end hung up|invalid index-pack output|git-http-push failed|invalid server response|unable to parse|protocol error',
    'bad line length',
  ].join('|'),
  'i',
)
/** A response was lost, and curl sent the same push again. */
const ownLock = /cannot lock ref '[^']+': (?:reference already exists|unable to resolve)/

/** Does git's message speak of a host that failed for a moment, or of a connection that broke? */
export function mayPass(stderr: string): boolean {
  if (ownLock.test(stderr)) return true
  const own = stderr.replace(/^remote:.*$/gm, '')
  return gitFailure(stderr, 'git', unreachable).code === unreachable && !redirectWords.test(own) && momentary.test(own)
}
