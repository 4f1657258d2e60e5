/** One line of a question that is a script for the model. */
export type Step =
  | { do: 'say' | 'think'; text: string }
  | { do: 'call'; tool: string; args: string }
  | { do: 'wait'; ms: number }
  | { do: 'fail' | 'hang' | 'echo' }

const STEP = /^(say|think|call|wait|fail|hang|echo)(?: (.*))?$/gm

/**
 * The script in a question, one step a line:
 *
 *     say WORDS          a token of text for each word
 *     think WORDS        the same as reasoning
 *     call TOOL JSON     a tool call; what follows is said in the next turn, after the tool's result
 *     wait MS            a pause
 *     echo               says, as JSON, all that the model was sent: {messages, tools}
 *     fail               the model's server answers 400, or breaks off if something was said already
 *     hang               silence until the client leaves
 *
 * @param turn turns of the model since the question, from 0
 */
export function stepsOf(question: string, turn: number): Step[] {
  const turns: Step[][] = [[]]
  for (const [, verb, rest = ''] of question.matchAll(STEP)) {
    turns.at(-1)!.push(toStep(verb!, rest))
    if (verb === 'call') turns.push([])
  }
  return turns[turn] ?? []
}

function toStep(verb: string, rest: string): Step {
  if (verb === 'say' || verb === 'think') return { do: verb, text: rest }
  if (verb === 'wait') return { do: 'wait', ms: Number(rest) }
  if (verb === 'call') {
    const space = rest.indexOf(' ')
    return { do: 'call', tool: rest.slice(0, space), args: rest.slice(space + 1) }
  }
  return { do: verb as 'fail' | 'hang' | 'echo' }
}
