// Removes a secret from a message of another service before it is shown or logged. Some servers quote the key that they
// refuse: whole, shortened, or in the encoding in which it was sent. Pure.

/** A shorter key may be a word by chance, and so may a shorter beginning of one. */
const shortest = 8
const shown = '[key]'

/**
 * Replaces every prefix of the key with at least eight characters, plain, percent-encoded or in base64, with `[key]`.
 */
export function redact(words: string, secret = ''): string {
  if (secret.length < shortest) return words
  return formsOf(secret).reduce(redactForm, words)
}

function formsOf(secret: string): readonly string[] {
  const encoded = encodeURIComponent(secret)
  const base64 = [0, 1, 2].flatMap((offset) => {
    const text = base64At(secret, offset)
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')]
  })
  return [...new Set([secret, encoded, encoded.replace(/%../g, (code) => code.toLowerCase()), ...base64])]
}

/** The characters that only the key determines when `offset` bytes come before it, as in `Bearer <key>`. */
function base64At(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  return whole.toString('base64').slice(Math.ceil((offset * 4) / 3))
}

function redactForm(words: string, form: string): string {
  const head = form.slice(0, shortest)
  if (head.length < shortest) return words
  let redacted = ''
  let from = 0
  for (let at = words.indexOf(head); at !== -1; at = words.indexOf(head, from)) {
    redacted += words.slice(from, at) + shown
    from = at
    while (from - at < form.length && words[from] === form[from - at]) from += 1
  }
  return redacted + words.slice(from)
}
