import { createExtractiveModel, TEXTS } from '../../server/src/agents/extractive/extractive-model.ts'
import type { ModelMessage, ModelTool } from '../../server/src/platform/models/model.ts'
import type { FoundPassage, SearchKnowledgeData } from '../../server/src/retrieval/search-data.ts'
import type { Hit, QueryTerm } from '../../server/src/search/engine.ts'

const SEARCH_TOOL: ModelTool = { name: 'search_knowledge', description: '', parameters: {} }
export const ANSWER_PASSAGES = 5

const model = createExtractiveModel()

export interface FoundFor {
  hits: Hit[]
  terms: QueryTerm[]
  titleOf(hit: Hit): string
}

/** Answer of `builtin/extractive` to these search results; undefined when it declines. */
export async function answerFrom(question: string, found: FoundFor): Promise<string | undefined> {
  const options = { onDeltas: () => {}, signal: new AbortController().signal }
  const messages: ModelMessage[] = [{ role: 'user', content: question }]
  const { text, toolCalls } = await model.generate({ messages, tools: [SEARCH_TOOL] }, options)
  messages.push(
    { role: 'assistant', content: text, toolCalls },
    { role: 'tool', toolCallId: '', toolName: SEARCH_TOOL.name, content: '', data: toSearchData(found) },
  )
  const turn = await model.generate({ messages, tools: [SEARCH_TOOL] }, options)
  return turn.text === TEXTS.unanswered ? undefined : turn.text
}

export function toSearchData({ hits, terms, titleOf }: FoundFor): SearchKnowledgeData {
  return {
    terms,
    passages: hits.slice(0, ANSWER_PASSAGES).map(
      (hit, rank): FoundPassage => ({
        index: rank + 1,
        data_source_id: hit.documentId,
        title: titleOf(hit),
        location: JSON.parse(hit.location),
        text: hit.text,
        hit: hit.text,
        score: hit.score,
        bm25: hit.bm25,
      }),
    ),
  }
}

/** Whether one of these is in a text, however its white space and its letters are. */
export function holdsOneOf(text: string, answers: readonly string[]): boolean {
  const folded = fold(text)
  return answers.some((answer) => folded.includes(fold(answer)))
}

function fold(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').toLowerCase()
}
