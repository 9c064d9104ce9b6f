// The GraphQL API of the loopback GitHub: the one mutation that the REST API lacks. The description of GitHub's REST API
// says nothing of it, so the request is compared with GitHub's published schema here, member by member.

import { refuse } from './github.ts'
import type { Call, Reply } from './routes.ts'
import type { World } from './world.ts'

const mutation =
  /^mutation\(\$id: ID!\) \{ convertPullRequestToDraft\(input: \{ pullRequestId: \$id \}\) \{ pullRequest \{ isDraft \} \} \}$/

export const graphqlRoute = 'POST /graphql'

export function answerGraphql(world: World, problems: string[], call: Call): Reply {
  if (!call.token)
    throw refuse(401, call.authorization === '' ? 'This endpoint requires you to be authenticated.' : 'Bad credentials')
  const { query, variables, ...others } = call.body
  const { id, ...more } = (variables ?? {}) as Readonly<Record<string, unknown>>
  const isKnown = typeof query === 'string' && mutation.test(query) && typeof id === 'string'
  if (!isKnown || Object.keys({ ...others, ...more }).length > 0) {
    problems.push(`request ${graphqlRoute}: ${JSON.stringify(call.body)}`)
  }
  const name = 'convertPullRequestToDraft'
  const refused = (type: string, message: string): Reply => {
    const error = { type, path: [name], locations: [{ line: 1, column: 20 }], message }
    return { status: 200, body: { data: { [name]: null }, errors: [error] } }
  }
  const pull = world.pull(Number(String(id).replace('PR_', '')))
  if (!pull || !call.token.rights.has('read')) {
    return refused('NOT_FOUND', `Could not resolve to a node with the global id of '${String(id)}'`)
  }
  if (call.token.permissions['pull_requests'] !== 'write') {
    return refused('FORBIDDEN', 'Resource not accessible by integration')
  }
  if (pull.state !== 'open') return refused('UNPROCESSABLE', 'Pull request is closed')
  pull.draft = true
  world.touch(pull)
  return { status: 200, body: { data: { [name]: { pullRequest: { isDraft: true } } } } }
}
