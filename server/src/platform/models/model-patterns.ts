/** Whether a model, by its id `PROVIDER/MODEL`, is one of those meant. */
export type ModelPatterns = (modelId: string) => boolean

const FORM = 'must be a list of models, for instance openai/*,ollama/llava:7b; * stands for any characters'

/**
 * Reads `openai/*, ollama/llava:7b`; upper and lower case are the same.
 * @throws Error in an operator's words
 */
export function parseModelPatterns(text: string): ModelPatterns {
  const patterns = text
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '')
    .map(toPattern)
  return (modelId) => patterns.some((pattern) => pattern.test(modelId.toLowerCase()))
}

function toPattern(entry: string): RegExp {
  if (/[\s;]/.test(entry) || !/[/*]/.test(entry)) throw new Error(`${FORM}; not "${entry}"`)
  // Stars in a row would make the pattern slow.
  return new RegExp(`^${entry.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\*+/g, '.*')}$`)
}
