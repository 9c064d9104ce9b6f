// SHA-256 (FIPS 180-4). The person who starts it owns the lines, so it need not hide its timing.

/** The first 32 bits of the fractional parts of the cube roots (constants) and square roots (start) of the primes. */
const primes = Array.from({ length: 320 }, (_, n) => n).filter((n) => n > 1 && isPrime(n))
const constants = Int32Array.from(
  primes.filter((_, n) => n < 64),
  (prime) => fraction(Math.cbrt(prime)),
)
const first = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))

function isPrime(n: number): boolean {
  for (let by = 2; by * by <= n; by += 1) if (n % by === 0) return false
  return true
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 2 ** 32) | 0
}

const words = new Int32Array(64)

export function sha256(data: Uint8Array): Uint8Array {
  const padded = new Uint8Array(((data.length + 8) >> 6) * 64 + 64)
  padded.set(data)
  padded[data.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(data.length / 2 ** 29))
  view.setUint32(padded.length - 4, (data.length << 3) >>> 0)
  const state = Int32Array.from(first)
  for (let at = 0; at < padded.length; at += 64) addBlock(state, view, at)
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word)
  return new Uint8Array(digest.buffer)
}

function addBlock(state: Int32Array, view: DataView, at: number): void {
  for (let i = 0; i < 16; i += 1) words[i] = view.getInt32(at + i * 4)
  for (let i = 16; i < 64; i += 1) {
    const x = word(i - 15)
    const y = word(i - 2)
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10)
    words[i] = (word(i - 16) + s0 + word(i - 7) + s1) | 0
  }
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  let f = state[5] ?? 0
  let g = state[6] ?? 0
  let h = state[7] ?? 0
  for (let i = 0; i < 64; i += 1) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const one = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + word(i)) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  const added = [a, b, c, d, e, f, g, h]
  for (let i = 0; i < 8; i += 1) state[i] = ((state[i] ?? 0) + (added[i] ?? 0)) | 0
}

function word(index: number): number {
  return words[index] ?? 0
}

function turn(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by))
}
