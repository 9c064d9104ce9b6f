// The parts of the directives of docutils, Sphinx and usual extensions: an argument that readers see or not, and a body of
// text, of code, or of nothing to read. A directive that is not listed is read as a body, with an argument that is a name.

export type DirectiveKind = {
  /** `none`: it has no argument, so its first line belongs to the body. `name`: readers don't see it. */
  readonly argument: 'none' | 'title' | 'name' | 'version' | 'path' | 'rest'
  readonly body: 'text' | 'code' | 'none' | 'caption' | 'values' | 'glossary' | 'toctree'
}

const rows: readonly (readonly [DirectiveKind['argument'], DirectiveKind['body'], string])[] = [
  [
    'none',
    'text',
    'attention caution danger error hint important note tip warning seealso epigraph highlights pull-quote compound line-block hlist acks tabs todo grid-item impl-detail',
  ],
  [
    'title',
    'text',
    'admonition topic sidebar centered rubric table list-table tab tab-item dropdown card grid-item-card tip-title details collapse button-link',
  ],
  ['title', 'values', 'csv-table'],
  ['title', 'none', 'contents title'],
  ['version', 'text', 'versionadded versionchanged deprecated versionremoved deprecated-removed soft-deprecated'],
  ['rest', 'none', 'replace'],
  ['path', 'none', 'image include literalinclude'],
  ['path', 'caption', 'figure'],
  ['none', 'toctree', 'toctree'],
  ['none', 'glossary', 'glossary'],
  [
    'name',
    'text',
    'container only rst-class cssclass describe object tab-set tab-set-code grid div card-carousel button-ref margin youtube vimeo video iframe toc',
  ],
  [
    'name',
    'code',
    'code code-block sourcecode raw math parsed-literal productionlist graphviz graph digraph inheritance-diagram doctest testcode testoutput testsetup testcleanup mermaid plantuml uml prompt console ipython ipython-directive jupyter-execute jupyter-input plot command-output program-output tikz aafig blockdiag seqdiag actdiag nwdiag jinja exec runblocks pyodide code-cell terminal termynal highlight-block sourceinclude',
  ],
  [
    'name',
    'none',
    'index meta highlight default-role default-domain role sectnum section-numbering header footer tabularcolumns currentmodule py:currentmodule module-prefix sectionauthor codeauthor moduleauthor program date unicode target-notes bibliography highlightlang restructuredtext-test-directive',
  ],
]

const kinds = new Map(
  rows.flatMap(([argument, body, names]) => names.split(' ').map((name) => [name, { argument, body }] as const)),
)

export function isKnownDirective(name: string): boolean {
  return kinds.has(name.replace(/^std:/, ''))
}

export function kindOfDirective(name: string): DirectiveKind {
  return kinds.get(name.replace(/^std:/, '')) ?? { argument: 'name', body: 'text' }
}
