// The document of a frame: the safe HTML of the service, in the colours of the page around it.

import styles from './preview.css?url'

export function toDocument(title: string, body: string): string {
  const theme = document.documentElement.dataset['theme'] ?? ''
  const href = new URL(styles, document.baseURI).href
  return `<!doctype html><html lang="en" data-theme="${theme}"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${title}</title><link rel="stylesheet" href="${href}"></head><body tabindex="0">${body}</body></html>`
}
