import type { ModelDelta } from '../platform/models/model.ts'
import type { RunEvents } from './run-events.ts'

export type Speech = ReturnType<typeof createSpeech>

/**
 * Turns a model's deltas into events: the end of reasoning is told once, and texts of two turns are kept apart.
 * @param saidBefore what the same answer holds already
 */
export function createSpeech(events: RunEvents, saidBefore: string) {
  let isReasoning = false
  let isNewTurn = true
  let text = saidBefore

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
