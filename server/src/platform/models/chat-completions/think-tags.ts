import type { ModelDelta } from '../model.ts'

const OPEN = '<think>'
const CLOSE = '</think>'

/**
 * Tells apart what an open model writes in one text: reasoning between `<think>` and `</think>` at the very start, and
 * the answer after it. Tags may come in pieces; what could be the beginning of one is held back until it is known.
 */
export function createThinkTags(emit: (type: ModelDelta['type'], text: string) => void) {
  let state: 'start' | 'thinking' | 'after' | 'answer' = 'start'
  let held = ''

  function push(text: string): void {
    if (state === 'answer') {
      emit('text', text)
      return
    }
    const whole = held + text
    held = ''
    if (state === 'start') atStart(whole)
    else if (state === 'thinking') inThinking(whole)
    else afterThinking(whole)
  }

  function atStart(whole: string): void {
    const trimmed = whole.trimStart()
    if (trimmed.startsWith(OPEN)) {
      state = 'thinking'
      const rest = trimmed.slice(OPEN.length)
      if (rest) inThinking(rest)
    } else if (OPEN.startsWith(trimmed)) {
      held = whole
    } else {
      state = 'answer'
      emit('text', whole)
    }
  }

  function inThinking(whole: string): void {
    const at = whole.indexOf(CLOSE)
    const end = at >= 0 ? at : whole.length - heldLength(whole)
    if (end > 0) emit('reasoning', whole.slice(0, end))
    if (at < 0) {
      held = whole.slice(end)
      return
    }
    state = 'after'
    afterThinking(whole.slice(at + CLOSE.length))
  }

  function afterThinking(whole: string): void {
    const rest = whole.trimStart()
    if (!rest) return
    state = 'answer'
    emit('text', rest)
  }

  /** Flushes at the end of the answer: the text held back was not a tag. */
  function end(): void {
    if (held) emit(state === 'thinking' ? 'reasoning' : 'text', held)
    held = ''
  }

  return { push, end }
}

/** How many characters at the end could be the beginning of the closing tag. */
function heldLength(text: string): number {
  for (let length = Math.min(CLOSE.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(CLOSE.slice(0, length))) return length
  }
  return 0
}
