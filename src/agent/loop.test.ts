import assert from 'node:assert/strict'
import { nothingJudged } from '../sites/coverage.ts'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { arrange, type Call, done, lastText, nothing, toResponse, write } from '../../test/support/scripted-loop.ts'
import { type LoopContext, runLoop } from './loop.ts'
import { type Turn, userMessage } from './transcript.ts'

test('calls run in order until the model finishes', async () => {
  const { context, edits, turns } = arrange([[write('a'), write('b')], [done]])
  assert.deepEqual(await runLoop(context, []), { kind: 'change', title: 't', summary: 's' })
  assert.deepEqual(edits, ['a', 'b'])
  assert.deepEqual(
    turns[0]?.results?.map((result) => result.text),
    ['wrote a', 'wrote b'],
  )
})

test('a wrong call, a refused path and an unknown tool are answers to the model', async () => {
  const wrong = [{ name: 'write', input: { path: 1 } }, { name: 'fly', input: {} }, write('refused')]
  const { context, turns } = arrange([wrong, [write('a')], [done]])
  await runLoop(context, [])
  assert.deepEqual(
    turns[0]?.results?.map((result) => result.isError),
    [true, true, true],
  )
  assert.match(turns[0].results[2]?.text ?? '', /not there/)
})

test('a finish is refused while the changes may not be published', async () => {
  const { context, edits, turns } = arrange([[write('secret')], [done], [write('undo')], [done]])
  const refusal = () => Promise.resolve(edits.includes('undo') ? undefined : 'secret may not be changed')
  assert.equal((await runLoop({ ...context, refusal }, [])).kind, 'change')
  assert.deepEqual(turns[1]?.results?.[0], {
    callId: turns[1]?.results?.[0]?.callId,
    tool: 'finish',
    text: 'Not finished: secret may not be changed.',
    isError: true,
    facts: { refusal: 'policy' },
  })
})

test('a model that insists on a refused change fails with policy_refused', async () => {
  const { context } = arrange([[write('secret')], [done], [done], [done], [done], [done]])
  await assert.rejects(runLoop({ ...context, refusal: () => Promise.resolve('secret may not be changed') }, []), {
    code: 'policy_refused',
    message: 'Nothing was published: secret may not be changed.',
  })
  const circling = arrange([[write('a')], [write('a')], [write('a')], [write('a')], [write('a')]])
  const failure = runLoop({ ...circling.context, refusal: () => Promise.resolve('a may not be changed') }, [])
  await assert.rejects(failure, { code: 'budget_exceeded' })
})

test('a run that ends at a refused edit names its rule and its remedy to people', async () => {
  const { context } = arrange(Array.from({ length: 8 }, () => [write('unsafe')]))
  await assert.rejects(runLoop(context, []), {
    code: 'policy_refused',
    message:
      'Nothing was published: the path policy of the project refuses the change: unsafe line 3 adds a script; ask a person.',
  })
})

test('new problems refuse a finish twice, and then no more', async () => {
  const problem = { path: 'a.md', line: 3, kind: 'link', target: '/b', message: 'links to /b', suggestion: '/c' }
  const { context, turns } = arrange([[write('a')], [done], [done], [done]])
  const newProblems = () =>
    Promise.resolve({ counts: { new: 2, old: 41 }, problems: [problem], losses: [], coverage: nothingJudged })
  await runLoop({ ...context, newProblems }, [])
  assert.equal(turns.length, 4)
  const refused = turns.flatMap(({ results = [] }) => results.filter(({ facts }) => facts?.refusal === 'checks'))
  assert.equal(refused.length, 2)
  assert.deepEqual(refused[0]?.facts?.found, [problem])
  assert.match(
    refused[0]?.text ?? '',
    /^Not finished: your changes bring 2 new problems .* The first 1 are listed, .*\.\na\.md:3: link: links to \/b — did you mean \/c\?$/,
  )
})

test('losses refuse a finish once, and name what was lost', async () => {
  const lost = { path: 'a.md', headings: ['Limits'], codeBlocks: [], fields: ['slug'], words: null }
  const { context, turns } = arrange([[write('a')], [done], [done]])
  const newProblems = () =>
    Promise.resolve({ counts: { new: 0, old: 0 }, problems: [], losses: [lost], coverage: nothingJudged })
  assert.equal((await runLoop({ ...context, newProblems }, [])).kind, 'change')
  const results = turns.flatMap(({ results = [] }) => results.filter(({ tool }) => tool === 'finish'))
  assert.deepEqual(
    results.map(({ facts }) => facts?.refusal),
    ['losses', undefined],
  )
  assert.match(results[0]?.text ?? '', /\[lost, on no page any more\]\na\.md: 1 heading \(Limits\); 1 field \(slug\)$/)
})

test('a run without a change is not checked for problems', async () => {
  const { context, turns } = arrange([[nothing]])
  await runLoop({ ...context, newProblems: () => Promise.reject(new Error('not asked')) }, [])
  assert.equal(turns.length, 1)
})

test('a fault of a tool itself ends the loop, and nothing of that turn is stored', async () => {
  const { context, turns } = arrange([[write('a'), write('broken')]])
  await assert.rejects(runLoop(context, []), TypeError)
  assert.ok(turns[0]?.response)
  assert.equal(turns[0].results, undefined)
})

test('a stored response is not requested again, and its calls run', async () => {
  const { context, requests, edits, saved, turns } = arrange([[done]], [])
  const response = toResponse([write('a')], 0)
  const stored: Turn = { number: 1, input: [userMessage('do it')], response, results: undefined }
  turns.push(stored)
  await runLoop(context, [stored])
  assert.deepEqual(edits, ['a'])
  assert.deepEqual(saved, [2], 'the stored answer is not stored again')
  assert.equal(requests.length, 1)
  assert.equal(requests[0]?.messages.length, 3)
})

test('an opened turn without a response is requested again with the same input', async () => {
  const { context, requests, waiting, turns } = arrange([[write('a')], [done]], ['later'])
  const stored: Turn = { number: 1, input: [userMessage('first')], response: undefined, results: undefined }
  turns.push(stored)
  await runLoop(context, [stored])
  assert.deepEqual(requests[0]?.messages, [userMessage('first')])
  assert.match(lastText(requests[1]), /later/)
  assert.deepEqual(waiting, [])
})

test('a message that arrives during a turn is given before the next one', async () => {
  const { context, requests, waiting } = arrange([[write('a')], [done]])
  const model: LoopContext['model'] = {
    ...context.model,
    respond: (request, signal) => {
      if (requests.length === 0) waiting.push('and that')
      return context.model.respond(request, signal)
    },
  }
  await runLoop({ ...context, model }, [])
  assert.match(lastText(requests[1]), /and that/)
})

test('three identical calls get a nudge, a fourth ends the run', async () => {
  const { context, requests } = arrange(Array.from({ length: 9 }, () => [write('a')]))
  const failure = runLoop({ ...context, budget: { ...context.budget, changedFiles: 100 } }, [])
  await assert.rejects(failure, { code: 'budget_exceeded' })
  assert.equal(requests.length, 4)
  assert.match(lastText(requests[3]), /same call of write 3 times/)
})

test('a turn without a call gets one notice; the second ends the run', async () => {
  const { context, requests, turns } = arrange([[write('a')], [], []])
  const refusal = () => Promise.resolve('a may not be changed')
  const stopped = { kind: 'question', question: 'I think', keptFiles: 1 }
  assert.deepEqual(await runLoop({ ...context, refusal }, []), stopped)
  assert.equal(requests.length, 3)
  assert.match(
    lastText(requests[2]),
    /called no tool.*1 file is changed, and nothing is published until you call finish/,
  )
  assert.deepEqual(turns[2]?.results, [])
})

/** The model says this in a turn without a call. */
function saying(context: LoopContext, texts: readonly string[], finishReason: 'stop' | 'length' = 'stop'): LoopContext {
  const left = [...texts]
  const respond: LoopContext['model']['respond'] = async (request, signal) => {
    return { ...(await context.model.respond(request, signal)), text: left.shift() ?? '', finishReason }
  }
  return { ...context, model: { ...context.model, respond } }
}

test('two turns without a word, and two that are cut off, ask nothing', async () => {
  for (const [texts, reason] of [
    [['', ' \n'], 'stop'],
    [['I begin', 'I go on'], 'length'],
  ] as const) {
    const failure = runLoop(saying(arrange([[], []]).context, texts, reason), [])
    await assert.rejects(failure, { code: 'model_refused' })
  }
  const secret = `ghp_${createHash('sha256').update('x').digest('hex').slice(0, 36)}`
  for (const [said, question] of [
    [['Which page?', ''], 'Which page?'],
    [['Which page?', 'This one?'], 'This one?'],
    [[`With ${secret}?`, ''], 'With [redacted]?'],
  ] as const)
    assert.deepEqual(await runLoop(saying(arrange([[], []]).context, said), []), {
      kind: 'question',
      question,
      keptFiles: 0,
    })
  const before = saying(arrange([[write('a')], [], []]).context, ['I begin', '', ''])
  await assert.rejects(runLoop(before, []), {
    code: 'model_refused',
    message:
      'The model ended without doing or saying anything. Nothing of this run was published. 1 changed file is kept: send a message to continue.',
  })
})

test('a question is asked whatever the run has changed', async () => {
  const asks = { name: 'finish', input: { kind: 'question', question: 'Which page?' } }
  const { context } = arrange([[write('a')], [asks]])
  const refusal = () => Promise.resolve('a may not be changed')
  assert.deepEqual(await runLoop({ ...context, refusal }, []), asks.input)
})

test('a message that arrives before a finish is stored refuses it', async () => {
  for (const end of [[done], []]) {
    const { context, requests, waiting, turns } = arrange([[write('a')], end, end, [nothing], [done]])
    const respond: LoopContext['model']['respond'] = (request, signal) => {
      // The second turn without a call would be the end.
      if (requests.length === (end.length === 0 ? 2 : 1)) waiting.push('and that')
      return context.model.respond(request, signal)
    }
    assert.equal((await runLoop({ ...context, model: { ...context.model, respond } }, [])).kind, 'change')
    const refused = turns.flatMap(({ results = [] }) =>
      results.filter(({ facts }) => facts?.refusal === 'message_waits'),
    )
    assert.deepEqual(
      refused.map(({ text, isError }) => [text, isError]),
      end.map(() => ['Not finished: a message of the user waits; it follows.', true]),
    )
    assert.ok(requests.some((request) => lastText(request).includes('and that')))
  }
})

test('a finish that does not match the changes is refused and can be corrected', async () => {
  const { context, turns } = arrange([[done], [nothing]])
  assert.deepEqual(await runLoop(context, []), { kind: 'no_change', reason: 'r' })
  assert.match(turns[0]?.results?.[0]?.text ?? '', /no file is changed/)
  assert.equal(turns[0]?.results?.[0]?.facts?.refusal, 'nothing_changed')
  const edited = arrange([[write('a')], [nothing], [done]])
  assert.equal((await runLoop(edited.context, [])).kind, 'change')
  assert.match(edited.turns[1]?.results?.[0]?.text ?? '', /files are changed/)
  assert.equal(edited.turns[1]?.results?.[0]?.facts?.refusal, 'files_changed')
})

test('finish among other calls is refused', async () => {
  const { context, turns } = arrange([[done, write('a')], [done]])
  await runLoop(context, [])
  assert.match(turns[0]?.results?.[0]?.text ?? '', /last and alone/)
  assert.equal(turns[0]?.results?.[0]?.facts?.refusal, 'not_alone')
})

test('each budget ends the run with its name', async () => {
  const endless = Array.from({ length: 60 }, (_, i) => [write(`f${i}`)])
  const cases = [
    [{ turns: 2 }, /2 turns/],
    [{ tokens: 22 }, /22 tokens/],
    [{ costUsd: 1 }, /1 US dollars/],
    [{ seconds: 0 }, /0 seconds/],
    [{ changedFiles: 2 }, /2 changed files/],
  ] as const
  for (const [change, message] of cases) {
    const { context } = arrange(endless)
    const budget = { ...context.budget, changedFiles: 100, ...change }
    await assert.rejects(runLoop({ ...context, budget }, []), { code: 'budget_exceeded', message })
  }
})

test('a budget that the finishing turn itself overspends ends the run too', async () => {
  const { context, turns } = arrange([[write('a'), write('b'), write('c'), write('d'), done], [done]])
  await assert.rejects(runLoop(context, []), { code: 'budget_exceeded', message: /3 changed files/ })
  assert.equal(turns[0]?.results?.[4]?.facts?.refusal, 'over_budget')
})

test('an aborted signal ends the loop before the next turn', async () => {
  const stop = new AbortController()
  const { context, requests } = arrange([[write('a')], [done]])
  const store: LoopContext['store'] = {
    ...context.store,
    saveResults: (_, ran) => {
      stop.abort(new Error('stop'))
      return Promise.resolve(ran)
    },
  }
  await assert.rejects(runLoop({ ...context, store, signal: stop.signal }, []), /stop/)
  assert.equal(requests.length, 1)
})

test('the conversation of earlier runs precedes this one', async () => {
  const { context, requests } = arrange([[nothing]])
  const earlier: readonly Turn[] = [
    { number: 1, input: [userMessage('long ago')], response: undefined, results: undefined },
  ]
  await runLoop({ ...context, earlier }, [])
  assert.deepEqual(requests[0]?.messages, [userMessage('long ago'), userMessage('do it')])
})

test('with a budget in money a model without a known price does not even begin', async () => {
  const { context, requests } = arrange([[done]])
  const budget = { ...context.budget, costUsd: 5 }
  const model = { ...context.model, isPriced: () => false }
  const expected = { code: 'model_not_configured', message: /price of test\/model is not known/ }
  await assert.rejects(runLoop({ ...context, model, budget }, []), expected)
  assert.equal(requests.length, 0)
})

test('with a budget in money an answer of unknown cost is the last one', async () => {
  const { context, requests } = arrange([[write('a')], [done]])
  const respond: LoopContext['model']['respond'] = async (request, signal) => {
    const given = await context.model.respond(request, signal)
    return { ...given, usage: { ...given.usage, costUsd: null } }
  }
  const budget = { ...context.budget, costUsd: 5 }
  const failure = runLoop({ ...context, model: { ...context.model, respond }, budget }, [])
  await assert.rejects(failure, { code: 'model_not_configured' })
  assert.equal(requests.length, 1)
})

test('no result holds a known secret, and no finish what looks like one', async () => {
  const known = 'a-secret-of-the-service-1'
  const shape = `ghp_${createHash('sha256').update('x').digest('hex').slice(0, 36)}`
  const end: Call = { name: 'finish', input: { kind: 'change', title: `Use ${shape}`, summary: known } }
  const { context, requests, turns } = arrange([[write(known)], [end]])
  context.redactor.learn(known)
  assert.deepEqual(await runLoop(context, []), { kind: 'change', title: 'Use [redacted]', summary: '[redacted]' })
  assert.equal(turns[0]?.results?.[0]?.text, 'wrote [redacted]')
  assert.match(lastText(requests[1]), /wrote \[redacted\]/)
})
