import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { suite, test } from 'node:test'
import type { Failure } from '../../lib/failure.ts'
import { blamesClock, createAppJwt, parsePrivateKey } from './app-jwt.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const now = new Date('2026-11-20T09:00:00.900Z')

const decode = (part: string | undefined): unknown => JSON.parse(Buffer.from(part ?? '', 'base64url').toString())

suite('the JWT of a GitHub App', () => {
  test('is signed with RS256, issued a minute ago, and expires in nine', () => {
    const [header, claims, signature = ''] = createAppJwt({ appId: 42, privateKey }, now).split('.')
    assert.deepEqual(decode(header), { alg: 'RS256', typ: 'JWT' })
    const seconds = Math.floor(now.getTime() / 1000)
    assert.deepEqual(decode(claims), { iat: seconds - 60, exp: seconds + 540, iss: '42' })
    const signed = Buffer.from(`${header}.${claims}`)
    assert.ok(verify('RSA-SHA256', signed, publicKey, Buffer.from(signature, 'base64url')))
  })

  test('keys are read as GitHub gives them, and with the ends of lines of Windows', () => {
    for (const type of ['pkcs1', 'pkcs8'] as const) {
      const pem = privateKey.export({ type, format: 'pem' }).toString()
      for (const text of [pem, `\n${pem.trim()}`, pem.replaceAll('\n', '\r\n')]) {
        assert.ok(parsePrivateKey(text).equals(privateKey))
      }
    }
  })

  test('other texts and other kinds of keys are refused without repeating them', () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' })
    const publicPem = publicKey.export({ type: 'spki', format: 'pem' })
    for (const text of ['', 'secret words', String(ec), String(publicPem)]) {
      assert.throws(
        () => parsePrivateKey(text),
        (error: Failure) => error.code === 'invalid_input' && !error.message.includes(text.slice(0, 40) || 'undefined'),
      )
    }
  })

  test("only a 401 about a time claim blames the service's clock", () => {
    const table: [number, string, boolean][] = [
      [401, "'Expiration time' claim ('exp') is too far in the future", true],
      [401, "'Expiration time' claim ('exp') must be a numeric value representing the future time", true],
      [401, "'Issued at' claim ('iat') must be an Integer representing the time", true],
      [401, 'A JSON web token could not be decoded', false],
      [403, "'Expiration time' claim ('exp') is too far in the future", false],
    ]
    for (const [status, words, expected] of table) assert.equal(blamesClock(status, words), expected, words)
  })
})
