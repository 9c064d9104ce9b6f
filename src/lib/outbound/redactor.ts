// The redactor of a process: it removes the secrets that the service knows, and whatever has the shape of a token, from
// everything that leaves it. It learns a secret when the service reads, stores or receives it.

import { hideKeys } from '../key-text.ts'
import { createKnownTexts, type Found, type KnownTexts } from './known-text.ts'
import { cutOut, dataRun, formsOf } from './redact.ts'
import { findShapes } from './secret-shapes.ts'

export type Redactor = {
  /** Remembers secrets: tokens, passwords, keys in PEM, and JSON objects of such. */
  readonly learn: (...secrets: readonly (string | undefined)[]) => void
  /** Replaces the known secrets, in every encoding. For text that a model or a program works with. */
  readonly hide: (text: string) => string
  /** Replaces the known secrets, and tokens and keys by their shape. For text that people read. */
  readonly redact: (text: string) => string
}

/** A shorter secret could be an ordinary word. */
const shortestSecret = 8
/** More than any service uses at a time. The oldest are forgotten. */
const mostKnown = 2_000

export function createProcessRedactor(): Redactor {
  const secrets = new Set<string>()
  let known = createKnownTexts()
  const hide = (text: string): string => (secrets.size === 0 ? text : cutOut(text, known.find(text)))
  return {
    hide,
    redact: (text) => redactShapes(hide(text)),
    learn: (...given) => {
      for (const secret of given.flatMap((text) => partsOf(text ?? ''))) {
        if (secrets.has(secret)) continue
        secrets.add(secret)
        addSecret(known, secret)
      }
      if (secrets.size <= mostKnown) return
      for (const oldest of [...secrets].slice(0, secrets.size - mostKnown / 2)) secrets.delete(oldest)
      known = createKnownTexts()
      for (const secret of secrets) addSecret(known, secret)
    },
  }
}

/** Replaces what has the shape of a token or key. Of a private key, the shape is only its beginning. */
function redactShapes(text: string): string {
  const plain = hideKeys(text)
  const found = findShapes(plain).map(({ at, text: token }): Found => {
    const length = token.startsWith('-----') ? wholeKey(plain, at) : token.length
    return { from: at, until: at + length }
  })
  const sorted = found.toSorted((one, other) => one.from - other.from)
  return cutOut(
    plain,
    sorted.filter(({ from }, at) => from >= (sorted[at - 1]?.until ?? 0)),
  )
}

function wholeKey(text: string, at: number): number {
  return /^-----[^-]+-----[^-]+/.exec(text.slice(at))?.[0].length ?? 0
}

function addSecret(known: KnownTexts, secret: string): void {
  for (const text of formsOf(secret)) {
    // A short secret is found whole only: a part of it may be a word.
    const least = secret.length < dataRun ? text.length : Math.min(dataRun, text.length)
    known.add({ text, least, leastHead: least })
  }
}

const publicKey = /^(?:ssh-\w+|ecdsa-[\w-]+|sk-(?:ssh|ecdsa)-[\w-]+@openssh\.com) AAAA/
const pem = /-----BEGIN [^-]+-----([^-]+)-----END/
const jwt = /^[\w-]+\.[\w-]+\.([\w-]{20,})$/

/** The parts of a stored value that nobody else has. */
function partsOf(text: string): readonly string[] {
  const body = pem.exec(text)?.[1]
  // The first line of a key is the same for all keys of its kind.
  if (body !== undefined && !text.trimStart().startsWith('{')) return body.trim().split(/\s+/).slice(1).filter(isSecret)
  if (text.startsWith('{')) return stringsIn(text).flatMap(partsOf)
  if (publicKey.test(text)) return []
  // The first parts of a signed token name its kind and its owner.
  const secret = jwt.exec(text)?.[1] ?? text
  return isSecret(secret) ? [secret] : []
}

function stringsIn(json: string): readonly string[] {
  try {
    const parsed = JSON.parse(json) as Readonly<Record<string, unknown>>
    return Object.values(parsed).filter((one) => typeof one === 'string')
  } catch {
    return []
  }
}

function isSecret(text: string): boolean {
  if (text.length >= dataRun) return true
  return text.length >= shortestSecret && /\d/.test(text) && /[a-z]/i.test(text)
}
