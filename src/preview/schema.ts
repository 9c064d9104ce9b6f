// The elements and attributes that a preview may contain: text, tables, code, and images that are part of the preview
// itself. No address of another place, no identifier, no style and no handler of an event gets through.

import type { Options } from 'rehype-sanitize'

const classes = ['component', 'component-name', 'link', 'missing', 'html', 'expression', 'front-matter', 'task']

const elements = [
  'h1 h2 h3 h4 h5 h6 p div section blockquote hr br pre',
  'ul ol li dl dt dd details summary figure figcaption img',
  'table caption thead tbody tfoot tr th td',
  'span strong b em i u s del ins mark small sub sup q abbr',
  'code kbd samp var',
]

export const schema: Options = {
  tagNames: elements.flatMap((names) => names.split(' ')),
  attributes: {
    '*': ['title', ['className', ...classes]],
    code: [['className', /^language-[\w+-]{1,40}$/, ...classes]],
    img: ['alt', 'src', 'title'],
    ol: ['start'],
    details: ['open'],
    th: ['align', 'colSpan', 'rowSpan'],
    td: ['align', 'colSpan', 'rowSpan'],
  },
  protocols: { src: ['data'] },
  strip: ['script', 'style', 'template', 'noscript', 'iframe', 'object', 'textarea', 'select', 'title', 'svg', 'math'],
  // A page with a list item or a table cell of its own must not break out of the preview's list or table.
  ancestors: {
    li: ['ol', 'ul'],
    tbody: ['table'],
    td: ['table'],
    th: ['table'],
    thead: ['table'],
    tfoot: ['table'],
    tr: ['table'],
  },
}
