// Finds secrets in any text or file, in every spelling in which programs pass them on: plain, percent-encoded, escaped as
// JSON, in hexadecimal, and in base64 after any other text. A part of 24 characters counts, so that a secret that was
// broken over lines is found as well.

export type Secret = { readonly name: string; readonly value: string | Uint8Array }

/** Returns the names of the secrets that the content shows, each with its spelling. */
export type SecretSearch = (content: string | Uint8Array) => readonly string[]

/** So many characters in a row of one spelling, or all of it if it is shorter. */
export const windowLength = 24
/** Each window holds one whole block, and blocks are what is looked up. */
const blockLength = 12
const leastLength = 16

type Form = { readonly label: string; readonly text: string }
type Place = { readonly form: Form; readonly at: number }
type Blocks = ReadonlyMap<string, readonly Place[]>

/** Throws for a secret that is too short to differ from ordinary text. */
export function createSecretSearch(secrets: readonly Secret[]): SecretSearch {
  const blocks = indexOf(secrets.flatMap(formsOf))
  const heads = new Uint8Array(2 ** 21)
  for (const block of blocks.keys()) {
    const key = (block.charCodeAt(0) << 16) | (block.charCodeAt(1) << 8) | block.charCodeAt(2)
    heads[key >> 3] = (heads[key >> 3] ?? 0) | (1 << (key & 7))
  }
  return (content) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : asBuffer(content)
    const found = new Set<string>()
    let key = 0
    for (let end = 0; end < bytes.length; end += 1) {
      key = ((key << 8) | (bytes[end] ?? 0)) & 0xff_ff_ff
      if (((heads[key >> 3] ?? 0) & (1 << (key & 7))) !== 0) note(bytes, end - 2, blocks, found)
    }
    return [...found].toSorted()
  }
}

function note(bytes: Buffer, start: number, blocks: Blocks, found: Set<string>): void {
  for (const { form, at } of blocks.get(bytes.toString('latin1', start, start + blockLength)) ?? []) {
    if (!found.has(form.label) && isWindow(bytes, start, { form, at })) found.add(form.label)
  }
}

/** Is the block at `start` part of a long enough piece of the form? */
function isWindow(bytes: Buffer, start: number, { form: { text }, at }: Place): boolean {
  let from = at
  while (from > 0 && bytes[start - at + from - 1] === text.charCodeAt(from - 1)) from -= 1
  let until = at + blockLength
  while (until < text.length && bytes[start - at + until] === text.charCodeAt(until)) until += 1
  return until - from >= Math.min(windowLength, text.length)
}

function indexOf(forms: readonly Form[]): Blocks {
  const places = forms.flatMap((form) => {
    const count = Math.floor(form.text.length / blockLength)
    return Array.from({ length: count }, (_, index): Place => ({ form, at: index * blockLength }))
  })
  return Map.groupBy(places, ({ form, at }) => form.text.slice(at, at + blockLength))
}

function formsOf({ name, value }: Secret): Form[] {
  const bytes = Buffer.from(value)
  if (bytes.length < leastLength) throw new Error(`the secret "${name}" is too short to be searched for`)
  const hex = bytes.toString('hex')
  const base64 = [0, 1, 2].map((lead) => base64After(bytes, lead))
  const binary: readonly (readonly [string, string])[] = [
    ['plain', bytes.toString('latin1')],
    ['hexadecimal', hex],
    ['hexadecimal', hex.toUpperCase()],
    ...base64.map((text) => ['base64', text] as const),
    ...base64.map((text) => ['base64', text.replaceAll('+', '-').replaceAll('/', '_')] as const),
  ]
  const spelled = [...binary, ...(typeof value === 'string' ? textForms(value) : [])]
  const unique = new Map(spelled.toReversed().map(([spelling, text]) => [text, spelling]))
  return [...unique].map(([text, spelling]) => ({ label: `${name}, ${spelling}`, text }))
}

function textForms(value: string): readonly (readonly [string, string])[] {
  const encoded = encodeURIComponent(value)
  const json = JSON.stringify(value).slice(1, -1)
  return [
    ['percent-encoded', encoded],
    ['percent-encoded', encoded.replaceAll(/%../g, (code) => code.toLowerCase())],
    ['percent-encoded', new URLSearchParams([['', value]]).toString().slice(1)],
    ['JSON', json],
    ['JSON', json.replaceAll('/', String.raw`\/`)],
  ]
}

/** The characters that only the secret determines when `lead` bytes come before it, as in `x-access-token:<secret>`. */
function base64After(secret: Buffer, lead: number): string {
  const bytes = Buffer.concat([Buffer.alloc(lead), secret])
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3))
  return whole.toString('base64').slice(Math.ceil((lead * 4) / 3))
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
