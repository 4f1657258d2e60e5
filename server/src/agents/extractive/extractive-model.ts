import { randomUUID } from 'node:crypto'
import type {
  GenerateOptions,
  LanguageModel,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ToolCall,
} from '../../platform/models/model.ts'
import type { SearchKnowledgeData } from '../../retrieval/retrieval.ts'
import { type PickedSentence, pickSentences } from './pick-sentences.ts'
import { questionOf } from './question.ts'
import { streamText } from './stream-text.ts'

const SEARCH_TOOL = 'search_knowledge'

export const TEXTS = {
  noQuestion: 'Ask a question, and I look for its answer in the documents.',
  noTool:
    'I can only quote documents, and this agent has no folder of documents to look in. Give it a folder, or choose another model for it.',
  failed: 'The documents could not be searched just now, so I cannot answer. Please try again.',
  unanswered:
    'The documents do not answer this. I can only quote sentences that stand in them; other words for the same thing may find more.',
} as const

/**
 * `builtin/extractive`: answers from documents without any model file. It asks the search tool once, and quotes the
 * sentences that answer best, one to three, each with its citation mark, or says that the documents hold no answer. It
 * tells words for tokens in its usage.
 */
export function createExtractiveModel(): LanguageModel {
  return {
    id: 'builtin/extractive',
    contextTokens: 1_000_000,
    onlyQuotes: true,
    async generate(request, options) {
      options.signal.throwIfAborted()
      const question = questionOf(request.messages)
      const results = resultsSinceQuestion(request.messages)
      if (results.length === 0 && question && canSearch(request)) return callSearch(request, question)
      return say(request, answer(question, results), options)
    },
  }
}

function canSearch({ tools, toolChoice }: ModelRequest): boolean {
  return toolChoice !== 'none' && tools.some(({ name }) => name === SEARCH_TOOL)
}

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

/** Results of searches since the last question. */
function resultsSinceQuestion(messages: readonly ModelMessage[]): ToolMessage[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return messages
    .slice(asked + 1)
    .filter((message) => message.role === 'tool')
    .filter(({ toolName }) => toolName === SEARCH_TOOL)
}

function answer(question: string, results: ToolMessage[]): string {
  if (!question) return TEXTS.noQuestion
  const [result] = results
  if (!result) return TEXTS.noTool
  if (result.isError || !isSearchData(result.data)) return TEXTS.failed
  const picked = pickSentences(question, result.data)
  return picked ? layOut(picked.map(quote)) : TEXTS.unanswered
}

interface Quote {
  text: string
  /** Whether it is no sentence: a row of a table, an item of a list, a line of the head of an e-mail. */
  isLine: boolean
}

/** A number in brackets of the document's own would be mistaken for a citation. */
function quote({ text, index }: PickedSentence): Quote {
  const cells = text.split(' | ')
  // Passages hold the row of a table as `column: value | column: value`.
  const isRow = cells.length > 1 && cells.every((cell) => /^[^:]+: /.test(cell))
  const said = (isRow ? cells.join('; ') : text).replace(ITEM_MARK, '').replaceAll(/\[(\d+)\]/g, '($1)')
  return { text: `${said} [${index}]`, isLine: isRow || !ENDS_SENTENCE.test(said) }
}

const ITEM_MARK = /^[-*+•] /
const ENDS_SENTENCE = /[.!?:…。！？：؟।]["'”’»)\]]*$/

/** Sentences follow each other; of several quotes each that is no sentence is an item of a list. */
function layOut(quotes: readonly Quote[]): string {
  if (quotes.length === 1) return quotes[0]!.text
  let text = ''
  let wasLine = false
  for (const { text: said, isLine } of quotes) {
    const gap = text === '' ? '' : isLine && wasLine ? '\n' : isLine || wasLine ? '\n\n' : ' '
    text += gap + (isLine ? `- ${said}` : said)
    wasLine = isLine
  }
  return text
}

function isSearchData(data: unknown): data is SearchKnowledgeData {
  return typeof data === 'object' && data !== null && 'passages' in data && 'terms' in data
}

function callSearch({ messages }: ModelRequest, query: string): ModelReply {
  const call: ToolCall = { id: `call_${randomUUID()}`, name: SEARCH_TOOL, arguments: JSON.stringify({ query }) }
  return reply(messages, '', [call])
}

async function say({ messages }: ModelRequest, text: string, options: GenerateOptions): Promise<ModelReply> {
  await streamText(text, options)
  return reply(messages, text, [])
}

function reply(messages: readonly ModelMessage[], text: string, toolCalls: ToolCall[]): ModelReply {
  return {
    text,
    reasoning: '',
    toolCalls,
    finishReason: toolCalls.length > 0 ? 'tool-calls' : 'stop',
    usage: {
      inputTokens: messages.reduce((sum, { content }) => sum + countWords(content), 0),
      cachedInputTokens: 0,
      outputTokens: countWords(text),
      reasoningTokens: 0,
    },
  }
}

function countWords(text: string): number {
  let words = 0
  for (const _ of text.matchAll(/\S+/g)) words += 1
  return words
}
