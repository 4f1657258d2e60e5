import { buffer } from 'node:stream/consumers'
import type { Outbound, OutboundReply } from '../../platform/outbound/outbound.ts'
import { whyNoAnswer } from '../../platform/outbound/why-no-answer.ts'
import { dataSection } from '../tools/quote.ts'
import { ToolError, type ToolResult } from '../tools/tool.ts'
import type { ApiRequest } from './api-request.ts'

export const CALL_MS = 60_000
const MOST_BYTES = 1024 * 1024
const PREVIEW_LENGTH = 2_000
const TEXT_TYPES =
  /^(?:text\/|application\/(?:(?:[\w.-]+\+)?(?:json|xml)|javascript|yaml|x-yaml|x-ndjson|x-www-form-urlencoded)$)/

/** Sends the request, and gives the answer as marked material. @throws ToolError for an answer that is no success */
export async function callApi(
  toolName: string,
  request: ApiRequest,
  { outbound, signal }: { outbound: Outbound; signal: AbortSignal },
): Promise<ToolResult> {
  const { url, ...options } = request
  const limits = { timeoutMs: CALL_MS, maxReplyBytes: MOST_BYTES, signal }
  let reply: OutboundReply
  let text: string
  try {
    reply = await outbound.request(url, { ...options, ...limits })
    text = await readText(reply)
  } catch (error) {
    signal.throwIfAborted()
    throw new ToolError(`${whyNoAnswer(new URL(url).host, error, CALL_MS)}.`, { cause: error })
  }
  const { status } = reply
  if (status >= 200 && status < 300) {
    return {
      content: dataSection({ from: toolName, status }, text || '(The answer is empty.)'),
      preview: previewOf(toolName, text),
    }
  }
  const why = `The API answered with status ${status}${MEANINGS[status] ?? (status < 400 ? ' (a redirect, which is not followed)' : '')}.`
  throw new ToolError(`${why}${text && ` ${text.slice(0, 500)}`}`, {
    content: text ? `${why}\n${dataSection({ from: toolName, status }, text)}` : why,
  })
}

const MEANINGS: Record<number, string> = {
  400: ' (it does not take these arguments)',
  401: ' (it refuses the credentials: whoever set it up has to look at them)',
  403: ' (it does not allow this)',
  404: ' (there is no such thing)',
  409: ' (it conflicts with what is there)',
  422: ' (it does not take these arguments)',
  429: ' (too many requests; try later)',
  503: ' (not available just now)',
}

async function readText(reply: OutboundReply): Promise<string> {
  const type = String(reply.headers['content-type'] ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase()
  const bytes = await buffer(reply.body)
  if (bytes.length === 0) return ''
  if (type ? !TEXT_TYPES.test(type) : bytes.includes(0))
    return `(${type || 'bytes'}, ${Math.ceil(bytes.length / 1024)} KB, which is not shown)`
  const cut = reply.isCut ? `\n(cut here: the answer has more than ${MOST_BYTES / 1024 ** 2} MB)` : ''
  return bytes.toString('utf8') + cut
}

function previewOf(title: string, text: string): ToolResult['preview'] {
  try {
    const content = JSON.stringify(JSON.parse(text), null, 2)
    return {
      title,
      content: content.slice(0, PREVIEW_LENGTH),
      content_type: content.length > PREVIEW_LENGTH ? 'text' : 'json',
    }
  } catch {
    return { title, content: text.slice(0, PREVIEW_LENGTH), content_type: 'text' }
  }
}
