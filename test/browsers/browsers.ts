// The browsers besides Chromium, as Debian has them: `firefox-esr`, and `webkit2gtk-driver` with `xvfb`.

import type { BrowserKind } from './browser.ts'
import { openFirefox } from './firefox.ts'
import { openWebKit } from './webkit.ts'

export const browsers: readonly BrowserKind[] = [
  { name: 'Firefox', open: openFirefox },
  { name: 'WebKitGTK', open: openWebKit },
]
