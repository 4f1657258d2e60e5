import type { FastifyInstance, FastifyRequest } from 'fastify'
import { MalformedJsonError, ValidationError } from '../../errors.ts'
import { decodeBody } from './content-coding.ts'

const DEEPEST = 32
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads JSON bodies strictly: compressed as they say or not at all, valid UTF-8, nested at most 32 deep, and no text
 * that a database or another system could not store as it is.
 */
export function addJsonBody(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  addJsonBodyOf(app, 'application/json')
}

/** Reads bodies of a media type that is JSON under another name. */
export function addJsonBodyOf(app: FastifyInstance, mediaType: string): void {
  app.addContentTypeParser(mediaType, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined
    const coding = request.headers['content-encoding']
    return parseJson(coding === undefined ? body : await decodeBody(body, coding))
  })
}

/** @throws ValidationError that says what is wrong with the text. */
export function parseJson(bytes: Buffer): unknown {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new ValidationError('The body is not valid UTF-8')
  }
  if (isTooDeep(text)) throw new ValidationError(`The body is nested deeper than ${DEEPEST} levels`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new MalformedJsonError('The body is not valid JSON')
  }
  // A zero character and a lone surrogate can only come in as an escape, or as the character itself.
  if (text.includes('\\u') || text.includes('\0')) requireStorable(value, '')
  return value
}

/** Counts brackets outside of strings, so that no deep value is ever built. */
function isTooDeep(text: string): boolean {
  if (count(text, '{') + count(text, '[') <= DEEPEST) return false
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (inString) {
      if (c === BACKSLASH) i++
      else if (c === QUOTE) inString = false
    } else if (c === QUOTE) inString = true
    else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > DEEPEST) return true
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) depth--
  }
  return false
}

/** Occurrences of a character, as far as the limit goes: `indexOf` passes a picture in base64 many times as fast as a loop. */
function count(text: string, character: string): number {
  let found = 0
  for (let at = text.indexOf(character); at >= 0 && found <= DEEPEST; at = text.indexOf(character, at + 1)) found++
  return found
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

function requireStorable(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) {
      const message = 'holds a character that cannot be stored (U+0000 or half of a surrogate pair)'
      throw new ValidationError(`${path ? `${path}:` : 'The body'} ${message}`, [{ path, message }])
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      requireStorable(key, path)
      requireStorable(inner, path ? `${path}.${key}` : key)
    }
  }
}

/** Whether every database and client can hold the text as it is. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
