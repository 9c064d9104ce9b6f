import { runBuild } from '../generator.ts'
import { type BuiltSite, headings } from './site.ts'

const conf = `project = 'Acme'
extensions = ['myst_parser']
exclude_patterns = ['old', '_x/*.md', 'more/skip*']
`

const titles = ['Title', 'Install it', 'Install it', '``acme start`` & *stop*', "1. What's new?", 'Über uns -- v2.0']
const more = ['日本', 'Straße', 'A_b', 'See Link_', '\\*escaped*', ':doc:`/a` and :ref:`x <label>`', '1.', '|name| ok']

/** `first`: what comes before the first heading. */
function rst(first = ''): string {
  const all = [...titles, ...more].map((title, at) => `${title}\n${(at === 0 ? '=' : '-').repeat(title.length * 2)}\n`)
  return `${first}${all.join('\nText.\n\n')}
.. _label:
.. _Second Label:

Labelled
--------

Text [#]_ and [#named]_ and [CIT1]_.

.. [#] A note.
.. [#named] Another.
.. [CIT1] A book.

.. figure:: none.png
   :name: The Figure

Install it
~~~~~~~~~~

.. _link: https://site.test
.. |name| replace:: Sub
`
}

export const sphinxBuilt: BuiltSite = {
  kind: 'sphinx',
  package: 'sphinx-build',
  build: (folder) => runBuild('out', folder, ['sphinx-build', '-Q', '-b', 'html', 'doc', 'out']),
  files: {
    'doc/conf.py': conf,
    'doc/index.rst': `Acme\n====\n\n.. toctree::\n   :glob:\n\n   a\n   Guide <guide/*>\n`,
    'doc/a.rst': rst(),
    'doc/b.rst': rst('.. _top:\n\n'),
    'doc/c.rst': `Level\n=====\n\n.. contents::\n\nInstall it\n----------\n\n.. include:: part.txt\n\n.. note:: A\n\n   .. rubric:: Title\n      :name: own name\n\nContents\n--------\n`,
    'doc/part.txt': '.. _in part:\n\nInstall it\n----------\n',
    'doc/e.rst': `==\nEn\n==\n\nOver\n----\n\n.. table:: T\n   :name: tab\n\n   = =\n   a b\n   = =\n\nSame\n----\n\n.. _same:\n\nText.\n\nNext\n----\n`,
    'doc/f.rst': `Only\n====\n\n.. only:: html\n\n   Inner\n   -----\n`,
    'doc/my.md': `${headings}\n## 日本\n\n## 日本\n\n(label)=\n## Labelled {#own}\n\n[^1] text\n\n[^1]: A note.\n\n## Text [a](b.md) ![c](d.png)\n`,
    'doc/guide/index.md': headings,
    'doc/guide/Upper Case.md': headings,
    'doc/guide/v1.2.rst': rst(':orphan:\n\n'),
    'doc/README.md': headings,
    'doc/x.markdown': headings,
    'doc/old/a.rst': rst(),
    'doc/_x/a.md': headings,
    'doc/_x/b.rst': rst(),
    'doc/more/skipped.rst': rst(),
    'doc/.hidden/a.rst': rst(),
    'README.md': headings,
  },
}
