import { createHash } from 'node:crypto'

const DIMENSIONS = 64

/**
 * A vector that tells words apart: each word adds one at a place of its own, so texts that share words are near each
 * other. Length 64, not normalised.
 */
export function wordVector(text: string): number[] {
  const vector = new Array<number>(DIMENSIONS).fill(0)
  for (const word of text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []) {
    const place = createHash('md5').update(word).digest().readUInt16LE(0) % DIMENSIONS
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

/** The answer to an embeddings request: OpenAI's form (floats or base64 as asked) or Google's, one text or many. */
export function answerEmbeddings({ protocol, path, body }: { protocol: string; path: string; body: EmbeddingsBody }) {
  if (protocol === 'google-embeddings') {
    const textOf = (content: GoogleContent) => content.parts.map((part) => part.text).join('')
    return path.includes('batchEmbedContents')
      ? { embeddings: (body.requests ?? []).map(({ content }) => ({ values: wordVector(textOf(content)) })) }
      : { embedding: { values: wordVector(textOf(body.content ?? { parts: [] })) } }
  }
  const input = typeof body.input === 'string' ? [body.input] : (body.input ?? [])
  return {
    object: 'list',
    model: body.model,
    data: input.map((text, index) => {
      const vector = wordVector(text)
      const embedding =
        body.encoding_format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector
      return { object: 'embedding', index, embedding }
    }),
    usage: { prompt_tokens: input.length, total_tokens: input.length },
  }
}

interface GoogleContent {
  parts: { text: string }[]
}

interface EmbeddingsBody {
  model?: string
  input?: string | string[]
  encoding_format?: string
  content?: GoogleContent
  requests?: { content: GoogleContent }[]
}
