// The tricks of a hijacked model, as files in `test/fixtures/policy`, and what the policy answers to each.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readContent } from '../../src/jobs/policy/content/read/read-content.ts'
import { judgeFiles } from '../../src/jobs/policy/ask/judge-files.ts'
import { policyOf } from '../../src/jobs/policy/judge-edits.ts'
import { memoryTree } from './memory-tree.ts'

/** `shown`: the pull request is a draft that says so. `named`: its host is in the first lines. */
export type PolicyVerdict = 'refused' | 'shown' | 'named' | 'passes'

export type PolicyCase = {
  /** Unique: the kind of the site and the name of the trick. */
  readonly key: string
  readonly site: string
  readonly path: string
  readonly text: string
  readonly want: PolicyVerdict
}

const folder = new URL('../fixtures/policy/', import.meta.url)

/** Reads a file with a JSON value on each line. */
function readRows(name: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n')
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
}

export function readCases(): readonly PolicyCase[] {
  return readRows('cases.jsonl').map((row) => {
    const { site, name, path, text, want } = row as Omit<PolicyCase, 'key'> & { readonly name: string }
    return { key: `${site}/${name}`, site, path, text: fillIn(text), want }
  })
}

/** A text of the model that must lose its powers: nothing of `gone` may remain in the place. */
export type WordsCase = {
  readonly name: string
  readonly place: 'title' | 'body' | 'commit'
  readonly text: string
  readonly gone: readonly string[]
}

export function readWords(): readonly WordsCase[] {
  return readRows('words.jsonl') as readonly WordsCase[]
}

type Site = { readonly site: string; readonly files: Readonly<Record<string, string>> }

const sites = new Map((readRows('sites.jsonl') as readonly Site[]).map(({ site, files }) => [site, files]))

type Judged = Pick<PolicyCase, 'site' | 'path' | 'text'>

/** Judges the file on its site as a run does before the commit, and as the pull request does. */
export async function verdictOf({ site, path, text }: Judged): Promise<PolicyVerdict> {
  const base = memoryTree(sites.get(site) ?? {})
  const { signal } = new AbortController()
  const policy = policyOf({ path_policy: '{}' })
  const reading = (content: Parameters<typeof readContent>[0]) => Promise.resolve(readContent(content))
  const [verdict] = await judgeFiles({ policy, base, signal, reading }, [{ path, text }])
  if (!verdict) throw new Error('Each file has a verdict.')
  const { result, hosts } = verdict
  if (result === 'shown') return 'shown'
  if (result !== 'allowed') return 'refused'
  return hosts.length > 0 ? 'named' : 'passes'
}

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const digits = '0123456789'
const base62 = `${upper}${upper.toLowerCase()}${digits}`
const alphabets: Readonly<Record<string, string>> = {
  hex: `${digits}abcdef`,
  digits,
  upper,
  base62,
  base64: `${base62}+/`,
  word: `${base62}-_`,
  bech32: 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L',
}

/** Replaces `{hex:40}` with random-looking text. The files have no tokens, because scanners would find them. */
function fillIn(text: string): string {
  return text.replaceAll(/\{(\w+):(\d+)\}/g, (whole, name: string, length: string, at: number) => {
    const alphabet = alphabets[name]
    return alphabet === undefined ? whole : randomText(alphabet, Number(length), `${text}${at}`)
  })
}

function randomText(alphabet: string, length: number, seed: string): string {
  let text = ''
  for (let round = 0; text.length < length; round += 1) {
    const bytes = createHash('sha256').update(`${seed}${round}`).digest()
    text += Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('')
  }
  return text.slice(0, length)
}
