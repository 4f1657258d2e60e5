type Part = string | number | Buffer

/** Writes one field of a protocol buffer: a number as a varint, all else with its length. */
function field(id: number, value: Part): Buffer {
  if (typeof value === 'number') return Buffer.concat([varint(id << 3), varint(value)])
  const bytes = Buffer.from(value)
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes])
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

const message = (...fields: [id: number, value: Part][]) => Buffer.concat(fields.map(([id, value]) => field(id, value)))

const FLOAT = 1
const INT64 = 7
const ATTRIBUTE_INT = 2

/** A step of the model, in the order of its operator's inputs. */
const step = (operator: string, inputs: string[], output: string, attributes: Record<string, number> = {}) =>
  message(
    ...inputs.map((input): [number, Part] => [1, input]),
    [2, output],
    [4, operator],
    ...Object.entries(attributes).map(([name, value]): [number, Part] => [
      5,
      message([1, name], [3, value], [20, ATTRIBUTE_INT]),
    ]),
  )

function constant(name: string, values: number[]): Buffer {
  const bytes = Buffer.from(BigInt64Array.from(values, BigInt).buffer)
  return message([1, values.length], [2, INT64], [8, name], [9, bytes])
}

const tensor = (name: string, type: number, ...dimensions: string[]) =>
  message(
    [1, name],
    [2, message([1, message([1, type], [2, message(...dimensions.map((d): [number, Part] => [1, message([2, d])]))])])],
  )

/**
 * An ONNX model that scores a pair of texts as a cross-encoder does: the pairs of equal tokens, one of the question and one of
 * the text. Tokens up to `lastSpecial` do not count. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto
 */
export function onnxCrossEncoder({ lastSpecial }: { lastSpecial: number }): Buffer {
  const steps = [
    step('Unsqueeze', ['input_ids', 'last'], 'down'),
    step('Unsqueeze', ['input_ids', 'middle'], 'across'),
    step('Equal', ['down', 'across'], 'is_same'),
    step('Cast', ['is_same'], 'same', { to: FLOAT }),
    step('Greater', ['input_ids', 'special'], 'is_word'),
    step('Cast', ['is_word'], 'word', { to: FLOAT }),
    step('Cast', ['token_type_ids'], 'second', { to: FLOAT }),
    step('Cast', ['attention_mask'], 'mask', { to: FLOAT }),
    step('Mul', ['mask', 'word'], 'read'),
    step('Mul', ['read', 'second'], 'of_text'),
    step('Sub', ['read', 'of_text'], 'of_question'),
    step('Unsqueeze', ['of_question', 'last'], 'question'),
    step('Unsqueeze', ['of_text', 'middle'], 'text'),
    step('Mul', ['same', 'question'], 'asked'),
    step('Mul', ['asked', 'text'], 'shared'),
    step('ReduceSum', ['shared', 'both'], 'sum', { keepdims: 0 }),
    step('Unsqueeze', ['sum', 'middle'], 'logits'),
  ]
  const constants = [
    constant('middle', [1]),
    constant('last', [2]),
    constant('both', [1, 2]),
    constant('special', [lastSpecial]),
  ]
  const inputs = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => tensor(name, INT64, 'batch', 'tokens'))
  const graph = message(
    ...steps.map((part): [number, Part] => [1, part]),
    [2, 'cross-encoder'],
    ...constants.map((part): [number, Part] => [5, part]),
    ...inputs.map((part): [number, Part] => [11, part]),
    [12, tensor('logits', FLOAT, 'batch', 'labels')],
  )
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])])
}
