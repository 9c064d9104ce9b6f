// What the tracker takes for granted and TypeScript's DOM does not know: that any script may be asked for its address,
// and the mark that the tracker leaves on a page.

interface SVGScriptElement {
  readonly src?: string
}

interface Window {
  [mark: `docent ${string}`]: boolean
}
