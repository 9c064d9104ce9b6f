// Declarations that TypeScript's DOM types lack: the mark that the tracker leaves on a page, and what its selector finds.

interface PerformanceEntry {
  readonly responseStatus?: number
}

interface Window {
  [mark: `docent ${string}`]: boolean
}

type OurScript = 'script[src][data-site^=site_]'
interface ParentNode {
  querySelector(selectors: OurScript): HTMLScriptElement | null
}
interface Element {
  closest(selectors: OurScript): HTMLScriptElement | null
}
