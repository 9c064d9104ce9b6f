// Normalises a path for comparison with the lists of the policy, so that no disguise of a protected name passes: case,
// Unicode form, invisible characters, percent encoding, backslashes, streams, trailing dots.

import { collisionKey } from '../../git/write/path.ts'

/** `%2525` encodes a percent sign twice. No tool decodes a name more often than this. */
const maxDecodings = 8

/** Two paths with the same result may be the same file on some file system or for some tool. Only for comparing. */
export function foldPath(path: string): string {
  const plain = decodeAll(path)
    .replaceAll('\\', '/')
    .replace(/^\s*[a-z]:/i, '')
  const segments: string[] = []
  for (const raw of plain.split('/')) {
    const segment = foldSegment(raw)
    if (raw.trim() === '..') segments.pop()
    else if (segment !== '') segments.push(segment)
  }
  return segments.join('/')
}

/** The part after a colon names a stream of a file on Windows: `package.json::$DATA` is `package.json`. */
function foldSegment(segment: string): string {
  const name = segment.replace(/:.*$/s, '')
  return collisionKey(name.replace(/^\s+/, '').replace(/[.\s]+$/, ''))
}

function decodeAll(path: string): string {
  let text = toPlain(path)
  for (let round = 0; round < maxDecodings && /%[0-9a-f]{2}/i.test(text); round += 1) {
    text = toPlain(text.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodeRun))
  }
  return text
}

function toPlain(text: string): string {
  return text.normalize('NFKC').replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]/gu, '')
}

function decodeRun(run: string): string {
  return Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8')
}
