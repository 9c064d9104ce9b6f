// How generators make the anchor of a heading from its text. Sources: github-slugger, Python-Markdown's toc extension,
// mdBook's `id_from_content`, and the slugify functions of VitePress, VuePress, HonKit and docsify.

import { toSlug } from '../docs-syntax/page.ts'

/** How the generator makes the anchor of a heading. */
export type SlugRule = {
  readonly slug: (text: string) => string
  /** The second heading with the same text: `name-1` or `name_1`. */
  readonly separator: '-' | '_'
  /** The number of the second heading; 1 if it is not given. */
  readonly second?: number
  /** A heading without a letter that counts has a number from the first one on: `_1`. */
  readonly numbersEmpty?: true
  /** Makes a fragment and an anchor comparable, where the site does not compare them as they are. */
  readonly normalise?: (name: string) => string
  /** The anchor of a tab (`=== "Linux"`). The site may put that of the heading above and a hyphen before it. */
  readonly tab?: (title: string) => string
}

export const githubSlugs: SlugRule = { slug: toSlug, separator: '-' }

/** The hosts of repositories ignore the case. */
export const hostSlugs: SlugRule = { ...githubSlugs, normalise: (name) => name.toLowerCase() }

/**
 * Astro makes one dash of `--` first, which its ids leave out, but not in code: `a --b` has the id `a-b`, and `a -- b` the id
 * `a--b`. So the number of hyphens does not count.
 */
export const astroSlugs: SlugRule = {
  ...githubSlugs,
  normalise: (name) => name.replace(/-{2,}/g, '-').replace(/^-|-$/g, ''),
}

/** Mintlify does not publish its rule for marks (`OAuth 2.0` has the anchor `oauth-2-0`), so only letters and digits count. */
export const mintlifySlugs: SlugRule = { ...githubSlugs, normalise: letters }

function letters(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

const pythonNumbers = { separator: '_', numbersEmpty: true } as const

/** A list of attributes in braces is no part of the text. */
export const pythonSlugs: SlugRule = {
  ...pythonNumbers,
  slug: (text) => withOwnId(text, (plain) => toPythonSlug(plain.replace(/ \{[^{}\n]+\}\s*$/, ''))),
}

/** Without the extension `attr_list`, an id in braces is a part of the text. */
export const plainPythonSlugs: SlugRule = { ...pythonNumbers, slug: toPythonSlug }

/** `pymdownx.slugs.slugify`, which keeps the letters of all languages, and every space. Its `case` is a setting. */
export const pymdownxSlugs: SlugRule = {
  ...pythonNumbers,
  normalise: (name) => name.toLowerCase(),
  slug: (text) => withOwnId(text, toPymdownxSlug),
}

export function toPymdownxSlug(text: string): string {
  const plain = text.normalize('NFC').trim()
  return plain.replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, '').replaceAll(' ', '-')
}

function toPythonSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, '-')
}

export const mdbookSlugs: SlugRule = {
  separator: '-',
  slug: (text) =>
    withOwnId(text, (plain) =>
      plain
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\-\s]/gu, '')
        .replace(/\s/g, '-'),
    ),
}

export const vitepressSlugs: SlugRule = {
  separator: '-',
  // It also applies the rule to the fragments of links.
  normalise: (name) => vitepressSlugs.slug(name),
  slug: (text) => withOwnId(text, toViteSlug),
}

/** VitePress with the rule of `github-slugger`. */
export const githubViteSlugs: SlugRule = { ...githubSlugs, normalise: toSlug }

function toViteSlug(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F\p{Cc}]/gu, '')
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
    .replace(/^(\d)/, '_$1')
    .toLowerCase()
}

/** VuePress 2: a fragment that begins with a digit gets the `_` of the heading. Only a plugin reads ids in braces. */
export const vuepressSlugs: SlugRule = {
  separator: '-',
  slug: toViteSlug,
  normalise: (name) => name.replace(/^(\d)/, '_$1'),
}

/** VuePress 1: the second heading has the number 2. */
export const vuepressOneSlugs: SlugRule = {
  separator: '-',
  second: 2,
  slug: (text) => toViteSlug(text.replace(/[–—]/g, '-')),
}

/** HonKit, by `github-slugid`: the second heading with a text has the same id. */
export const honkitSlugs: SlugRule = {
  separator: '-',
  slug: (text) =>
    withOwnId(text, (plain) =>
      plain
        .replace(/[[\]!"'#$%&()*+,./:;<=>?@^_`{|}~©∑®†“”‘’∂ƒ™℠…œŒ˚ºª•∆∞♥\\]+/g, '')
        .replaceAll(' ', '-')
        .toLowerCase()
        .replace(/^-/, ''),
    ),
}

/** GitBook does not publish its rule (`1. <a> & b` has the anchor `id-1.-less-than-a-greater-than-and-b`), so only letters and digits count. */
export const gitbookSlugs: SlugRule = {
  ...mintlifySlugs,
  normalise: (name) => letters(name.replace(/(?:less|greater)-than|-and-/g, '-')).replace(/^id(?=\d)/, ''),
}

/** docsify 4 and 5 differ in what they keep of marks, and 4 keeps the names of escapes, such as `amp`. */
export const docsifySlugs: SlugRule = {
  separator: '-',
  normalise: (name) => letters(name.replace(/amp|quot|39|lt|gt/gi, '')),
  slug: (text) =>
    text
      .trim()
      .replace(/[A-Z]+/g, (upper) => upper.toLowerCase())
      .replace(/<[^>]+>|[\u2000-\u206F\u2E00-\u2E7F\\'!"#$%&()*+,./:;<=>?@[\]^`{|}~]/g, '')
      .replace(/\s/g, '-')
      .replace(/-+/g, '-')
      .replace(/^(\d)/, '_$1'),
}

/** Goldmark as Hugo starts it: from the text as it is written. `type`: `github`, `github-ascii` or `blackfriday`. */
export function hugoSlugs(type: string): SlugRule {
  const slug = (text: string): string => {
    const plain = type === 'github-ascii' ? text.normalize('NFD').replace(/[^\0-\x7F]/g, '') : text
    const kept =
      type === 'blackfriday'
        ? plain.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')
        : plain
            .trim()
            .replace(/[^\p{L}\p{N}_ -]/gu, '')
            .replaceAll(' ', '-')
    return kept.toLowerCase() || 'heading'
  }
  return {
    separator: '-',
    slug: (text) => withOwnId(text, slug),
    normalise: (name) => name.replace(/\p{M}/gu, '').toLowerCase(),
  }
}

/** A heading may have its own id at its end: `Install [#install]` in Fumadocs and Nextra. */
export const bracketSlugs: SlugRule = {
  ...githubSlugs,
  slug: (text) => /\s*\[#([^\]\s]+)\]\s*$/.exec(text)?.[1] ?? toSlug(text),
}

/**
 * mystmd, by `normalizeLabel` and `createHtmlId`. It compares labels as they are written, in lower case, and headings by their
 * ids; the second part of a figure with the label `fig` has the label `fig-b`.
 */
export const mystSlugs: SlugRule = {
  separator: '-',
  normalise: (name) => mystSlugs.slug(name).replace(/-[a-z]$/, ''),
  slug: (text) =>
    text
      .replace(/['‘’"“”]+/g, '')
      .trim()
      .toLowerCase()
      .replace(/[^a-z0-9-]/g, '-')
      .replace(/^([0-9-])/, 'id-$1')
      .replace(/-{2,}/g, '-')
      .replace(/^-+|-+$/g, ''),
}

/** kramdown as Jekyll starts it, with the headings of GitHub. `--` is a dash, but not in code: the hyphens are not counted. */
export const kramdownSlugs: SlugRule = {
  separator: '-',
  slug: (text) => withOwnId(text, toSlug),
  normalise: (name) => name.replace(/-{2,}/g, '-'),
}

/** `Install {#install}`, and `Install { #install .class }` or `Install { id="install" }` of MkDocs. */
function withOwnId(text: string, slug: (plain: string) => string): string {
  return /\{:?(?:[^{}]*\s)?(?:#|id=["']?)([\w.:-]+)[^{}]*\}\s*$/.exec(text)?.[1] ?? slug(text)
}
