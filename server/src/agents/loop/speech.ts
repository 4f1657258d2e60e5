import type { InertLinks } from '../../content/markdown/inert-links/inert-links.ts'
import type { ModelDelta } from '../../platform/models/model.ts'
import type { RunEvents } from './run-events.ts'

interface SpeechOptions {
  /** Earlier text of the same answer. */
  saidBefore: string
  /** Called once for the answer, and once for the thoughts if there are any. */
  openLinks: () => InertLinks
}

/**
 * Turns a model's deltas into events: the end of reasoning is reported once, texts of two replies are kept apart, and
 * links to hosts that were not named become inert.
 */
export function createSpeech(events: RunEvents, { saidBefore, openLinks }: SpeechOptions) {
  const links = openLinks()
  let reasoningLinks: InertLinks | undefined
  let isReasoning = false
  let isNewTurn = true
  let text = saidBefore
  // Whether it ends within a block of code counts for what comes.
  if (saidBefore !== '') {
    links.push(saidBefore)
    links.flush()
  }

  function endReasoning() {
    if (!isReasoning) return
    isReasoning = false
    const rest = reasoningLinks!.flush()
    if (rest !== '') events.reasoning(rest)
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
        reasoningLinks ??= openLinks()
        const thought = reasoningLinks.push(delta.text)
        if (thought !== '') events.reasoning(thought)
        continue
      }
      endReasoning()
      if (isNewTurn && text !== '') {
        texts.push(links.push('\n\n'))
        text += '\n\n'
      }
      isNewTurn = false
      const said = links.push(delta.text)
      if (said === '') continue
      texts.push(said)
      text += said
    }
    tell()
  }

  /** Says what was held back because it could have been the beginning of a link. */
  function sayRest() {
    const rest = links.flush()
    if (rest === '') return
    text += rest
    events.response([rest])
  }

  return {
    say,
    sayRest,
    endTurn() {
      endReasoning()
      sayRest()
      isNewTurn = true
    },
    text: () => text,
  }
}
