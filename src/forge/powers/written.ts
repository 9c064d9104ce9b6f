// Finds the references to issues that people wrote in their messages. The service writes them again: what a model wrote
// refers to nothing. Pure.

import { anyForge } from './table.ts'
import { startOf } from '../../lib/plain-text.ts'

const mostReferences = 10
const issue = String.raw`(?:(?<![\w./&#!-])(?:[\w-][\w.-]{0,49}(?:\/[\w-][\w.-]{0,49}){1,4})?[#!]\d{1,9}(?![\w-])|\bhttps?:\/\/[\w.:-]{1,100}\/[\w./-]{1,100}\/(?:issues|work_items|pull|pulls|merge_requests)\/\d{1,9}(?![\w/-]))`
const list = new RegExp(
  String.raw`(?:\b(${anyForge.closing})[\s:]{1,5}(?:issues?\s{1,5})?)?(${issue}(?:(?:\s{0,5}(?:,|&|and|,\s{0,5}and)\s{1,5})${issue}){0,9})`,
  'gi',
)
const each = new RegExp(issue, 'gi')

/** Returns each once: `fixes #12` if a person wrote a closing word before it, else `#12`. */
export function findReferences(messages: readonly string[]): readonly string[] {
  const found = new Map<string, string>()
  for (const message of messages) {
    for (const { 1: word, 2: issues = '' } of startOf(message, 100_000).matchAll(list)) {
      for (const [name] of issues.matchAll(each)) {
        const said = word === undefined ? (found.get(name) ?? name) : `${toVerb(word)} ${name}`
        found.set(name, said)
      }
    }
  }
  return [...found.values()].slice(0, mostReferences)
}

/** All forges know these words. */
function toVerb(word: string): string {
  const start = word.slice(0, 3).toLowerCase()
  return start === 'res' ? 'resolves' : start === 'clo' ? 'closes' : start === 'reo' ? 'reopens' : 'fixes'
}
