// The tree of HTML elements between the parser of pages and the text of a preview, as far as it is read here.

export type Element = {
  readonly type: 'element'
  tagName: string
  properties: Readonly<Record<string, unknown>>
  children: Content[]
}

type Text = { readonly type: 'text'; readonly value: string }

export type Content = Element | Text

export type Root = { readonly type: 'root'; readonly children: Content[] }
