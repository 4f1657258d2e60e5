import type { LanguageModel, ModelDelta, ModelMessage, ModelUsage, ToolCall } from '../platform/models/model.ts'
import type { Logger } from '../platform/telemetry/logger.ts'
import type { AttachedFile } from '../retrieval/attached-files.ts'
import type { AgentRecord } from './agents.store.ts'
import { questionWithFiles } from './attach.ts'
import { type Citation, createCitationBook } from './citations.ts'
import { systemPrompt } from './prompt.ts'
import { callTool } from './tools/call-tool.ts'
import type { Outputs, ToolPreview } from './tools/tool.ts'
import type { Toolbox } from './tools/toolbox.ts'

/** Turns of the model in one run: a model that keeps calling tools is made to answer in the last one. */
const MOST_STEPS = 12

/** What a run tells as it happens; called synchronously. */
export interface RunEvents {
  reasoning(text: string): void
  /** The reasoning before this point is complete. */
  endReasoning(): void
  /** Texts of one read from the model, in order. */
  response(texts: string[]): void
  toolCallStart(toolName: string): void
  toolCallResult(toolName: string, preview: ToolPreview): void
}

export interface RunInput {
  agent: AgentRecord
  model: LanguageModel
  /** Earlier turns of the conversation, oldest first. */
  history: ModelMessage[]
  query: string
  /** Sent with the query. */
  files: AttachedFile[]
  /** Where tools put the files that they make. */
  outputs: Outputs
  tools: Toolbox
  events: RunEvents
  signal: AbortSignal
  logger: Logger
  /** ISO date. */
  today: string
}

export interface RunOutput {
  citations: Citation[]
  usage: ModelUsage
}

/**
 * One run of an agent: the model speaks, calls tools, reads their results, and speaks again, until it answers.
 * @throws ModelError, or the signal's reason; what was told before stands.
 */
export async function runAgent(input: RunInput): Promise<RunOutput> {
  const { model, history, query, files, events, signal } = input
  const agent = files.length > 0 ? withSearch(input.agent) : input.agent
  const citations = createCitationBook()
  const tools = input.tools.of(agent)
  const system: ModelMessage = { role: 'system', content: systemPrompt(agent, input.today) }
  const messages: ModelMessage[] = [system, ...history, questionWithFiles(query, files, model)]
  const usage: ModelUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  const speech = createSpeech(events)

  for (let step = 1; ; step++) {
    const isLast = step === MOST_STEPS
    const turn = await model.generate(
      { messages, tools: tools.map(({ forModel }) => forModel), toolChoice: isLast ? 'none' : 'auto' },
      { onDeltas: speech.say, signal },
    )
    addUsage(usage, turn.usage)
    speech.endTurn()
    if (turn.toolCalls.length === 0 || isLast) break
    messages.push({
      role: 'assistant',
      content: turn.text,
      toolCalls: turn.toolCalls,
      providerState: turn.providerState,
    })
    for (const call of turn.toolCalls) messages.push(await answerCall(call))
  }
  return { citations: citations.citedIn(speech.text()), usage }

  async function answerCall(call: ToolCall): Promise<ModelMessage> {
    events.toolCallStart(call.name)
    const result = await callTool(
      tools.find(({ tool }) => tool.name === call.name)?.tool,
      call,
      { agent, files, citations, outputs: input.outputs, signal },
      input.logger,
    )
    signal.throwIfAborted()
    events.toolCallResult(call.name, result.preview)
    return {
      role: 'tool',
      toolCallId: call.id,
      toolName: call.name,
      content: result.content,
      isError: result.preview.status === 'error',
      data: result.data,
    }
  }
}

/** Files that come with a question can be searched, whatever else the agent may do. */
function withSearch(agent: AgentRecord): AgentRecord {
  return agent.tools.includes('search_knowledge') ? agent : { ...agent, tools: [...agent.tools, 'search_knowledge'] }
}

/** Turns the model's deltas into events: the end of reasoning is told once, and texts of two turns are kept apart. */
function createSpeech(events: RunEvents) {
  let isReasoning = false
  let isNewTurn = false
  let text = ''

  function endReasoning() {
    if (!isReasoning) return
    isReasoning = false
    events.endReasoning()
  }

  function say(deltas: ModelDelta[]) {
    let texts: string[] = []
    const tell = () => {
      if (texts.length === 0) return
      events.response(texts)
      texts = []
    }
    for (const delta of deltas) {
      if (delta.text === '') continue
      if (delta.type === 'reasoning') {
        tell()
        isReasoning = true
        events.reasoning(delta.text)
        continue
      }
      endReasoning()
      if (isNewTurn && text !== '') {
        texts.push('\n\n')
        text += '\n\n'
      }
      isNewTurn = false
      texts.push(delta.text)
      text += delta.text
    }
    tell()
  }

  return {
    say,
    endTurn() {
      endReasoning()
      isNewTurn = true
    },
    text: () => text,
  }
}

function addUsage(total: ModelUsage, turn: ModelUsage): void {
  total.inputTokens += turn.inputTokens
  total.cachedInputTokens += turn.cachedInputTokens
  total.outputTokens += turn.outputTokens
  total.reasoningTokens += turn.reasoningTokens
}
