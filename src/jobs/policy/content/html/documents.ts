// Finds how the beginning of an HTML or XML file can hide content: a document type, an encoding, or a style sheet of XML
// that makes the page.

import { refused } from './elements.ts'
import { type Sign, squash } from '../sign.ts'

const documentType = /<!DOCTYPE[^>[]{0,2000}\[|<!(?:ENTITY|ATTLIST|ELEMENT|NOTATION)\b/gi
const styleSheet = /<\?\s*xml-stylesheet\b[^>]{0,2000}/gi
const encoding = /\b(?:encoding|charset)\s{0,20}=\s{0,20}["']?([\w.:-]{1,40})/gi
const readEncodings = /^(?:utf-?8|us-ascii|ascii|iso-8859-1\d?|latin-?1|windows-1252)$/i

export function readDocumentType(text: string): Sign[] {
  const types = Array.from(text.matchAll(documentType), ({ 0: written, index }) =>
    refused({ name: 'doctype', start: index }, squash(written), 'a document type of its own, which can hide anything'),
  )
  const sheets = Array.from(text.matchAll(styleSheet)).flatMap(({ 0: written, index }): Sign[] => {
    if (/type\s*=\s*["']text\/css["']/i.test(written)) return []
    return [{ kind: 'code', key: `sheet ${squash(written)}`, what: 'a style sheet that makes the page', start: index }]
  })
  return [...types, ...sheets, ...readEncoding(text)]
}

function readEncoding(text: string): Sign[] {
  const what = 'an encoding that is not read'
  const at = text.indexOf('\0')
  if (at >= 0) return [refused({ name: 'encoding', start: at }, text, what)]
  return Array.from(text.matchAll(encoding)).flatMap(({ 1: name = '', index }) => {
    return readEncodings.test(name) ? [] : [refused({ name: 'encoding', start: index }, name.toLowerCase(), what)]
  })
}
