import { join } from 'node:path'
import { installed, runBuild } from '../generator.ts'
import { type BuiltSite, headings } from './site.ts'

export const honkitBuilt: BuiltSite = {
  kind: 'gitbook',
  package: 'honkit',
  build: (folder) => {
    return runBuild('out', folder, [process.execPath, join(installed, 'honkit/bin/honkit.js'), 'build', '.', 'out'])
  },
  files: {
    'book.json': '{ "root": "./book", "structure": { "readme": "start.md" } }\n',
    'book/SUMMARY.md': `# Summary

* [Start](start.md)
* [A](a.md)
  * [Two](a.md#two)
* [G](g/README.md)
  * [B](g/b.md)
* [H](h/index.md)
* [Upper case](<Upper Case.md>)
`,
    'book/start.md': headings,
    'book/a.md': `${headings}\n## Two {#own}\n\n## C++ / C# — dash\n\n## - 中文 (2.0)\n`,
    'book/g/README.md': headings,
    'book/g/b.md': headings,
    'book/h/index.md': headings,
    'book/Upper Case.md': headings,
    'book/_layouts/a.md': headings,
    'other.md': headings,
  },
}
