// Declarations that TypeScript's DOM types lack: the address of any script, and the mark that the tracker leaves on a
// page.

interface SVGScriptElement {
  readonly src?: string
}

interface PerformanceEntry {
  readonly responseStatus?: number
}

interface Window {
  [mark: `docent ${string}`]: boolean
}
