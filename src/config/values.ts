// Parses the values of settings. Each function returns the value, or throws an Error whose message continues "NAME …".

import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type LogLevel, logLevels } from '../lib/observability/log-level.ts'
import { isMailbox } from '../notifications/mail/message.ts'
import { parseSender } from '../notifications/mail/smtp.ts'
import type { TrustedProxies } from '../lib/network.ts'

export const text = (value: string) => value

/** The folder holds the socket of the command line, whose address has at most 107 bytes on Linux. */
export function dataDir(value: string): string {
  const path = resolve(value)
  if (Buffer.byteLength(path) <= 95) return path
  throw new Error('must be a path of at most 95 bytes, because it holds a socket')
}

export function integer(least: number, most: number): (value: string) => number {
  return (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return number
    throw new Error(`must be a whole number from ${least} to ${most}`)
  }
}

const units: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** Parses bytes, such as `1536m` or `2g` of Docker. The limits are bytes. */
export function memorySize(least: number, most: number): (value: string) => number {
  return (value) => {
    const [, number, unit = ''] = /^(\d{1,15})([kmg]?)b?$/i.exec(value) ?? []
    const bytes = Number(number) * (units[unit.toLowerCase()] ?? 1)
    if (bytes >= least && bytes <= most) return bytes
    throw new Error(`must be an amount of memory such as 1536m or 2g, and at least ${least / 1024 ** 2}m`)
  }
}

/** Parses seconds and returns milliseconds. */
export function secondsAsMs(least: number, most: number): (value: string) => number {
  const parse = integer(least, most)
  return (value) => parse(value) * 1_000
}

export function boolean(value: string): boolean {
  if (value === 'true' || value === '1') return true
  if (value === 'false' || value === '0') return false
  throw new Error('must be true or false')
}

export function list(value: string): readonly string[] {
  return value.split(',').flatMap((one) => one.trim() || [])
}

export function webAddress(value: string): string {
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash)
    return value.replace(/\/+$/, '')
  throw new Error('must be an http or https address without credentials, query or fragment')
}

export function databaseAddress(value: string): string {
  const url = URL.parse(value)
  if (url && /^postgres(ql)?:$/.test(url.protocol)) return value
  throw new Error('must be an address such as postgres://user:password@host:5432/database')
}

export function storeAddress(value: string): string {
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol) && !url.hash) return value
  throw new Error('must be an address such as http://user:password@host:8123/database')
}

export function mailServer(value: string): string {
  const url = URL.parse(value)
  if (url && /^smtps?:$/.test(url.protocol) && url.hostname && !url.search && !url.hash && /^\/?$/.test(url.pathname))
    return value
  throw new Error('must be an address such as smtp://user:password@host:587 or smtps://user:password@host')
}

export function mailSender(value: string): string {
  if (isMailbox(parseSender(value).address) && !/[\p{Cc}"]/u.test(value)) return value
  throw new Error('must be an address such as docent@example.com, or Docent <docent@example.com>')
}

export function dollars(value: string): number {
  const amount = /^\d{1,9}(\.\d{1,6})?$/.test(value) ? Number(value) : Number.NaN
  if (amount > 0) return amount
  throw new Error('must be an amount above 0, such as 2.50')
}

export function proxies(value: string): TrustedProxies {
  if (/^\d{1,2}$/.test(value)) return { hops: Number(value) }
  const networks = list(value)
  if (networks.every((one) => isNetwork(one))) return { networks }
  throw new Error('must be a number of hops, or a list of addresses and CIDRs')
}

function isNetwork(value: string): boolean {
  const [address = '', bits, ...rest] = value.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export function headerName(value: string): string {
  if (/^[!#$%&'*+.^_`|~0-9a-z-]{1,100}$/i.test(value)) return value
  throw new Error('must be the name of an HTTP header')
}

export function identityPart(value: string): string {
  if (/[<>\u0000-\u001f]/.test(value)) throw new Error('must not contain <, > or control characters')
  return value
}

export function logLevel(value: string): LogLevel {
  const level = logLevels.find((one) => one === value)
  if (level) return level
  throw new Error(`must be one of ${logLevels.join(', ')}`)
}
