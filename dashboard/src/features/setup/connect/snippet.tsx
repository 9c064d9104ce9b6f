// The line that every page of a site has in its head.

import { siteTag } from '../../../../../src/analytics/collect/site-tag.ts'
import type { Site } from '../../../api/projects.ts'
import { prefix } from '../../../base.ts'
import { CopyBlock } from '../../../ui/copy.tsx'

export function Snippet({ site }: { readonly site: Site }) {
  return (
    <div>
      <p className="mb-1 text-sm text-muted">
        Put this into the <code className="font-mono">&lt;head&gt;</code> of every page:
      </p>
      <CopyBlock name={`The script for ${site.name}`} text={siteTag(`${location.origin}${prefix}`, site.id)} />
    </div>
  )
}
