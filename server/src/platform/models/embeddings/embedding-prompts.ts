/** Texts that some embedding models were trained to see before a text; without them their vectors are clearly worse. */
interface EmbeddingPrompts {
  query: string
  document: string
}

const PROMPTS: [RegExp, EmbeddingPrompts][] = [
  [/(^|-)e5-/, { query: 'query: ', document: 'passage: ' }],
  [/nomic-embed/, { query: 'search_query: ', document: 'search_document: ' }],
  [/embeddinggemma|gemini-embedding-2/, { query: 'task: search result | query: ', document: 'title: none | text: ' }],
  [
    /bge-(small|base|large)-en|mxbai-embed|snowflake-arctic-embed-(xs|s|m|l)$/,
    { query: 'Represent this sentence for searching relevant passages: ', document: '' },
  ],
  [/snowflake-arctic-embed|arctic-embed2/, { query: 'query: ', document: '' }],
  [
    /qwen3-embedding/,
    {
      query: 'Instruct: Given a question, retrieve passages that answer it\nQuery: ',
      document: '',
    },
  ],
]

/** @param model a model's name or folder; a path before it and a tag after it do not count. */
export function embeddingPrompt(model: string, purpose: 'query' | 'document'): string {
  const name = model.toLowerCase().replace(/\/+$/, '').replace(/^.*\//, '').replace(/:.*$/, '')
  return PROMPTS.find(([pattern]) => pattern.test(name))?.[1][purpose] ?? ''
}
