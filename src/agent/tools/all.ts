// All tools of the agent. Only `fetch_page` can access anything outside the workspace, by way of the service.

import { createAffectedPagesTool } from './affected-pages/affected-pages.ts'
import { createChangesTool } from './branch/changes.ts'
import { createRevertTool } from './branch/revert.ts'
import { createCheckTool } from './check.ts'
import { createDeleteFileTool } from './delete-file.ts'
import { createEditFileTool } from './edit-file/edit-file.ts'
import { createFetchPageTool } from './fetch-page/fetch-page.ts'
import { createFinishTool } from './finish.ts'
import { createLogTool } from './history/log.ts'
import { createShowChangeTool } from './history/show-change.ts'
import { createListFilesTool } from './list-files/list-files.ts'
import { createMoveFileTool } from './move-file.ts'
import { createReadFileTool } from './read-file.ts'
import { createReplaceTextTool } from './replace-text/replace-text.ts'
import { createSearchTool } from './search/search.ts'
import { createWriteFileTool } from './write-file.ts'
import type { Tool } from '../tool.ts'

export function createTools(): readonly Tool[] {
  return [
    createListFilesTool(),
    createSearchTool(),
    createReadFileTool(),
    createEditFileTool(),
    createReplaceTextTool(),
    createWriteFileTool(),
    createMoveFileTool(),
    createDeleteFileTool(),
    createChangesTool(),
    createRevertTool(),
    createLogTool(),
    createShowChangeTool(),
    createAffectedPagesTool(),
    createCheckTool(),
    createFetchPageTool(),
    createFinishTool(),
  ]
}
