import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { LanguageModel, ModelMessage, ToolCall } from '../../../platform/models/model.ts'
import { parseHostPatterns } from '../../../platform/outbound/host-patterns.ts'
import { createLogger } from '../../../platform/telemetry/logger.ts'
import type { AgentRecord } from '../../agent/agents.store.ts'
import { defineTool, type Tool, ToolError } from '../../tools/tool.ts'
import { createToolbox } from '../../tools/toolbox.ts'
import { recallNothing } from '../history.ts'
import type { Decision } from '../review.ts'
import { runAgent } from '../run-agent.ts'
import { newRunState, type RunState } from '../run-state.ts'

const NONE = { maxSteps: null, maxTokens: null, maxSeconds: null, maxToolOutputCharacters: null }
const AGENT = {
  id: 'agent',
  organizationId: 'o',
  name: 'Guide',
  instructions: '',
  model: null,
  knowledgeBaseIds: [],
  tools: [],
  toolsNeedingApproval: [],
  limits: NONE,
  allowedTools: null,
} as Partial<AgentRecord> as AgentRecord

const call = (name: string, what: string): ToolCall => ({
  id: `call_${what}`,
  name,
  arguments: JSON.stringify({ what }),
})
const read = (what: string) => call('look', what)
const cite = (what: string) => call('cite', what)
const change = (what: string) => call('change', what)

interface Start {
  /** Calls of the first turn; the second is the answer. */
  calls: ToolCall[]
  state?: RunState
  agent?: Partial<AgentRecord>
  decision?: Decision
  tools?: Tool[]
}

/** A run whose tools end when the test says so. */
function start({ calls, state = newRunState(), agent = {}, decision, tools = [] }: Start) {
  const happened: string[] = []
  /** Calls at work, by what they look at. */
  const gates = new Map<string, ((error?: Error) => void)[]>()
  const seen: ModelMessage[][] = []
  const stored: string[] = []
  const cancel = new AbortController()
  const tool = (name: string, { isReadOnly, cites = false }: { isReadOnly: boolean; cites?: boolean }) =>
    defineTool({
      name,
      description: name,
      arguments: z.object({ what: z.string() }),
      timeoutMs: 60_000,
      isReadOnly,
      cites,
      run: ({ what }, { citations }) =>
        new Promise((resolve, reject) => {
          happened.push(`run ${what}`)
          const preview = { title: what, content: '', content_type: 'text' as const }
          const result = { content: `saw ${what}`, preview }
          const passage = { key: what, data_source_id: what, title: what, location: {}, text: what }
          const cited = () => ({ content: `saw ${what} as [${citations.indexOf(passage)}]`, preview })
          const end = (error?: Error) => (error ? reject(error) : resolve(cites ? cited : result))
          gates.set(what, [...(gates.get(what) ?? []), end])
        }),
    })
  const model: LanguageModel = {
    id: 'test/model',
    contextTokens: 100_000,
    async generate({ messages }) {
      seen.push(messages)
      const toolCalls = messages.some(({ role }) => role === 'tool') ? [] : calls
      const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, reasoningTokens: 0 }
      return { text: 'Done', reasoning: '', toolCalls, finishReason: 'stop', usage }
    },
  }
  const looking = [tool('look', { isReadOnly: true }), tool('cite', { isReadOnly: true, cites: true })]
  const all = [...looking, tool('change', { isReadOnly: false }), ...tools]
  const ended = runAgent({
    agent: { ...AGENT, ...agent },
    run: {
      organizationId: 'o',
      workspaceId: 'w',
      chatId: 'c',
      messageId: 'm',
      virtualUserId: null,
      rightsHolderId: null,
    },
    modelOf: () => model,
    recall: recallNothing,
    query: 'Go',
    files: [],
    outputs: { count: () => 1, add: async () => ({ key: '' }), read: async () => undefined },
    toolbox: createToolbox({ builtin: [], sources: [{ of: async () => ({ tools: all }) }] }),
    events: {
      reasoning() {},
      endReasoning() {},
      response() {},
      toolCallStart: ({ id }) => void happened.push(`start ${id.slice(5)}`),
      toolCallResult: ({ id }, { status }) => void happened.push(`${status} ${id.slice(5)}`),
      toolCallEnd() {},
    },
    state,
    decision,
    checkpoint: () => void stored.push(JSON.stringify(state)),
    signal: cancel.signal,
    logger: createLogger('silent'),
    isLinkHost: parseHostPatterns(''),
    today: '2026-01-01',
  })
  ended.catch(() => {})
  /** Waits until the tool works at it. */
  const begun = (what: string) => vi.waitFor(() => expect(gates.get(what)?.length).toBeGreaterThan(0))
  return {
    ended,
    happened,
    stored,
    cancel,
    /** Results as the model read them, in its order. */
    results: () => (seen.at(-1) ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : [])),
    begun,
    /** Waits until the tool works at it, has it end, and waits until that is told. */
    async finish(what: string, error?: Error) {
      await begun(what)
      const toldBefore = happened.length
      gates.get(what)!.shift()!(error)
      await vi.waitFor(() => expect(happened.length).toBeGreaterThan(toldBefore))
    },
  }
}

test('calls that only read are at work at the same time, and the model reads their results in its order', async () => {
  const { ended, happened, finish, begun, results } = start({ calls: [read('a'), read('b')] })
  // Both have begun, and neither has ended.
  await begun('b')
  expect(happened).toEqual(['start a', 'run a', 'start b', 'run b'])
  await finish('b')
  await finish('a')
  await ended
  expect(happened.slice(4)).toEqual(['completed b', 'completed a'])
  expect(results()).toEqual(['saw a', 'saw b'])
})

test('passages have numbers in the order of the calls, whichever call finds its own first', async () => {
  const { ended, happened, finish, begun, results } = start({ calls: [read('a'), cite('b'), cite('c'), cite('d')] })
  await begun('d')
  const told = [finish('d'), finish('c'), finish('b')]
  await Promise.all(told)
  await vi.waitFor(() => expect(happened.slice(8)).toEqual(['completed b', 'completed c', 'completed d']))
  // It numbers nothing, and nobody waited for it.
  await finish('a')
  await ended
  expect(results()).toEqual(['saw a', 'saw b as [1]', 'saw c as [2]', 'saw d as [3]'])
})

test('a search that fails keeps no other waiting for a number', async () => {
  const { ended, happened, finish, begun, results } = start({ calls: [cite('a'), cite('b')] })
  await begun('b')
  await Promise.all([finish('b'), finish('a', new ToolError('No luck'))])
  await ended
  expect(happened.slice(4)).toEqual(['error a', 'completed b'])
  expect(results()).toEqual(['No luck', 'saw b as [1]'])
})

test('eight are at work at once; the ninth begins when one of them has ended', async () => {
  const names = Array.from({ length: 9 }, (_, index) => `n${index}`)
  const { ended, happened, finish, begun, results } = start({ calls: names.map(read) })
  await begun('n7')
  expect(happened.filter((one) => one.startsWith('start'))).toEqual(names.slice(0, 8).map((name) => `start ${name}`))
  await finish('n3')
  await begun('n8')
  expect(happened.slice(16)).toEqual(['completed n3', 'start n8', 'run n8'])
  for (const name of names.filter((name) => name !== 'n3').reverse()) await finish(name)
  await ended
  expect(results()).toEqual(names.map((name) => `saw ${name}`))
})

test('a call that changes something waits for those before it, and those after it wait for it', async () => {
  const { ended, happened, finish, begun } = start({ calls: [read('a'), read('b'), change('c'), read('d'), read('e')] })
  await begun('b')
  await finish('b')
  expect(happened).not.toContain('start c')
  await finish('a')
  await begun('c')
  expect(happened).not.toContain('start d')
  await finish('c')
  await begun('e')
  await finish('d')
  await finish('e')
  await ended
  const order = (name: string) => happened.indexOf(name)
  expect(order('start c')).toBeGreaterThan(Math.max(order('completed a'), order('completed b')))
  expect(order('start d')).toBeGreaterThan(order('completed c'))
})

test('a tool that a person has to allow is not called beside others, although it only reads', async () => {
  const asking = defineTool({
    name: 'ask_first',
    description: '',
    arguments: z.object({ what: z.string() }),
    timeoutMs: 1_000,
    isReadOnly: true,
    asksFor: () => 'May it?',
    run: async () => ({ content: 'allowed', preview: { title: '', content: '', content_type: 'text' } }),
  })
  const state = newRunState()
  const calls = [read('a'), read('b'), call('ask_first', 'c'), read('d')]
  const first = start({ calls, state, tools: [asking] })
  await first.finish('a')
  await first.finish('b')
  expect((await first.ended).waitsFor).toMatchObject({ kind: 'approval', toolName: 'ask_first' })
  expect(first.happened.at(-1)).toBe('start c')
  const decision = { decision: 'approve', note: null } as const
  const second = start({ calls, state: JSON.parse(JSON.stringify(state)), decision, tools: [asking] })
  await second.finish('d')
  await second.ended
  expect(second.happened).toEqual(['completed c', 'start d', 'run d', 'completed d'])
  expect(second.results()).toEqual(['saw a', 'saw b', 'allowed', 'saw d'])
})

test('a run that is taken up in the middle keeps the results that there are, and makes the other calls again', async () => {
  const calls = [read('a'), read('b'), read('c')]
  const first = start({ calls })
  await first.begun('c')
  await first.finish('b')
  // The process dies here.
  const state = JSON.parse(first.stored.at(-1)!)
  const second = start({ calls, state })
  await second.begun('c')
  expect(second.happened).toEqual(['run a', 'run c'])
  await second.finish('a')
  await second.finish('c')
  await second.ended
  expect(second.happened.slice(2)).toEqual(['completed a', 'completed c'])
  expect(second.results()).toEqual(['saw a', 'saw b', 'saw c'])
  expect(JSON.parse(second.stored.at(-1)!).loop.beside).toBeUndefined()
  first.cancel.abort(new Error('dead'))
})

test('a call taken up that now has to stay alone is not told to begin a second time', async () => {
  const calls = [read('a'), read('b')]
  const first = start({ calls })
  await first.begun('b')
  await first.finish('b')
  const agent = { toolsNeedingApproval: ['look'] }
  const state = JSON.parse(first.stored.at(-1)!)
  const second = start({ calls, state, agent })
  expect((await second.ended).waitsFor).toMatchObject({ toolName: 'look' })
  const decision = { decision: 'approve', note: null } as const
  const third = start({ calls, state: JSON.parse(JSON.stringify(state)), agent, decision })
  await third.finish('a')
  await third.ended
  expect([second.happened, third.happened]).toEqual([[], ['run a', 'completed a']])
  expect(third.results()).toEqual(['saw a', 'saw b'])
  first.cancel.abort(new Error('dead'))
})

test('a cancelled run ends at once, and calls that had not begun do not', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `n${index}`)
  const { ended, happened, begun, cancel } = start({ calls: names.map(read) })
  await begun('n7')
  cancel.abort(new Error('cancelled by the test'))
  await expect(ended).rejects.toThrow('cancelled by the test')
  expect(happened.filter((one) => !/^(start|run) n[0-7]$/.test(one))).toEqual([])
})

test('one that fails, is not there or is repeated has its own result, and the others theirs', async () => {
  const same = (id: string): ToolCall => ({ ...read('a'), id })
  const calls = [
    read('a'),
    { id: 'call_gone', name: 'gone', arguments: '{}' },
    { ...read('x'), arguments: '{' },
    read('b'),
    same('call_2'),
    same('call_3'),
    same('call_4'),
  ]
  const { ended, finish, results, happened } = start({ calls })
  await finish('b', new ToolError('No luck'))
  for (const equal of ['a', 'a', 'a']) await finish(equal)
  await ended
  expect(happened.filter((one) => one === 'run a')).toHaveLength(3)
  expect(results()).toEqual([
    'saw a',
    expect.stringMatching('no tool named gone'),
    expect.stringMatching('not valid'),
    'No luck',
    'saw a',
    'saw a',
    expect.stringMatching('made before'),
  ])
})
