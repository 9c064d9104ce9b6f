// The GraphQL API of the loopback GitHub: what the REST API lacks. The description of GitHub's REST API
// says nothing of it, so the request is compared with GitHub's published schema here, member by member.

import { refuse } from './github.ts'
import type { Call, Reply } from './routes.ts'
import type { World } from './world.ts'

const mutations = {
  convertPullRequestToDraft:
    /^mutation\(\$id: ID!\) \{ convertPullRequestToDraft\(input: \{ pullRequestId: \$id \}\) \{ pullRequest \{ isDraft \} \} \}$/,
  enablePullRequestAutoMerge:
    /^mutation\(\$id: ID!, \$head: GitObjectID!, \$method: PullRequestMergeMethod!\) \{ enablePullRequestAutoMerge\(input: \{ pullRequestId: \$id, expectedHeadOid: \$head, mergeMethod: \$method \}\) \{ pullRequest \{ id \} \} \}$/,
} as const
const question =
  /^query\(\$owner: String!, \$name: String!, \$number: Int!\) \{ repository\(owner: \$owner, name: \$name\) \{ autoMergeAllowed viewerDefaultMergeMethod pullRequest\(number: \$number\) \{ id \} \} \}$/
const ready =
  /^query\(\$owner: String!, \$name: String!, \$number: Int!\) \{ repository\(owner: \$owner, name: \$name\) \{ viewerDefaultMergeMethod pullRequest\(number: \$number\) \{ mergeable latestOpinionatedReviews\(first: 100\) \{ nodes \{ state author \{ login \} \} pageInfo \{ hasNextPage \} \} reviewThreads\(first: 100\) \{ nodes \{ isResolved \} pageInfo \{ hasNextPage \} \} \} \} \}$/

export const graphqlRoute = 'POST /graphql'

type Variables = Readonly<Record<string, unknown>>

export function answerGraphql(world: World, problems: string[], call: Call): Reply {
  if (!call.token)
    throw refuse(401, call.authorization === '' ? 'This endpoint requires you to be authenticated.' : 'Bad credentials')
  const { query, variables = {}, ...others } = call.body as { query?: unknown; variables?: Variables }
  const text = typeof query === 'string' ? query : ''
  const name = Object.entries(mutations).find(([, form]) => form.test(text))?.[0] as keyof typeof mutations | undefined
  const isQuestion = question.test(text)
  const isReady = ready.test(text)
  const known = [...text.matchAll(/\$(\w+): /g)].map(([, one = '']) => one)
  const isSame = Object.keys(variables).toSorted().join() === known.toSorted().join()
  if ((!name && !isQuestion && !isReady) || !isSame || Object.keys(others).length > 0) {
    problems.push(`request ${graphqlRoute}: ${JSON.stringify(call.body)}`)
  }
  if (isReady) return answerReady(world, call, variables)
  return isQuestion ? answerQuestion(world, variables) : answerMutation(world, call, name ?? '', variables)
}

function answerQuestion(world: World, { number }: Variables): Reply {
  const { allowsAutoMerge: autoMergeAllowed } = world.switches
  const pullRequest = { id: `PR_${String(number)}` }
  const repository = { autoMergeAllowed, viewerDefaultMergeMethod: 'SQUASH', pullRequest }
  return { status: 200, body: { data: { repository } } }
}

/** Threads begin with a comment on a line. */
function answerReady(world: World, call: Call, { number }: Variables): Reply {
  const pull = world.pull(Number(number))
  if (!pull || call.token?.rights.has('read') !== true) {
    const message = `Could not resolve to a PullRequest with the number of ${String(number)}.`
    return { status: 200, body: { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message }] } }
  }
  const page = <Row>(rows: readonly Row[]) => ({
    nodes: rows.slice(0, 100),
    pageInfo: { hasNextPage: rows.length > 100 },
  })
  const mergeable = world.mergeable(pull)
  const pullRequest = {
    mergeable: mergeable === undefined ? 'UNKNOWN' : mergeable ? 'MERGEABLE' : 'CONFLICTING',
    latestOpinionatedReviews: page(
      world.remarks.opinions(pull.number).map(({ state, login }) => ({ state, author: { login } })),
    ),
    reviewThreads: page(world.remarks.of(pull.number, 'line').map(({ isResolved }) => ({ isResolved }))),
  }
  return { status: 200, body: { data: { repository: { viewerDefaultMergeMethod: 'SQUASH', pullRequest } } } }
}

function answerMutation(world: World, call: Call, name: string, { id, head }: Variables): Reply {
  const refused = (type: string, message: string): Reply => {
    const error = { type, path: [name], locations: [{ line: 1, column: 20 }], message }
    return { status: 200, body: { data: { [name]: null }, errors: [error] } }
  }
  const pull = world.pull(Number(String(id).replace('PR_', '')))
  if (!pull || call.token?.rights.has('read') !== true) {
    return refused('NOT_FOUND', `Could not resolve to a node with the global id of '${String(id)}'`)
  }
  if (call.token.permissions['pull_requests'] !== 'write') {
    return refused('FORBIDDEN', 'Resource not accessible by integration')
  }
  if (pull.state !== 'open') return refused('UNPROCESSABLE', 'Pull request is closed')
  if (name === 'convertPullRequestToDraft') pull.draft = true
  else {
    if (head !== pull.head) return refused('UNPROCESSABLE', 'Head sha did not match the expected head sha')
    if (pull.draft) return refused('UNPROCESSABLE', 'Pull request Pull request is in draft state')
    if (world.switches.requiredChecks.length === 0)
      return refused('UNPROCESSABLE', 'Pull request Pull request is in clean status')
    pull.autoMerge = true
  }
  world.touch(pull)
  return { status: 200, body: { data: { [name]: { pullRequest: { id, isDraft: pull.draft } } } } }
}
