import { expect, test } from 'vitest'
import { readQuestion, runsOf } from './asked-question.ts'

const terms = [
  { term: 'hive', idf: 3, count: 1 },
  { term: 'wide', idf: 1, count: 1 },
]
const kindOf = (text: string) => readQuestion(text, terms)?.kind

test('the question word says what is asked for, in several languages', () => {
  expect(
    [
      'When was the hive built?',
      'In which year was it built?',
      'How many bees are there?',
      'Who keeps it?',
      'Where does it stand?',
      'Why is it heavy?',
      'How is honey made?',
      'What is a hive?',
      'hive entrance',
      'Wann wurde der Stock gebaut?',
      'Combien d’abeilles y a-t-il ?',
      'Wie viele Bienen leben dort?',
      '¿Por qué pesa tanto?',
      'Où est la ruche ?',
    ].map(kindOf),
  ).toEqual([
    'when',
    'when',
    'amount',
    'who',
    'where',
    'why',
    'how',
    'what',
    'what',
    'when',
    'amount',
    'amount',
    'why',
    'where',
  ])
})

test('names, numbers and shares of the weight are read from the question', () => {
  const asked = readQuestion('How wide was the hive of Skerryvore in 1,844.5 or 1850?', terms)
  expect(asked).toMatchObject({ names: ['skerryvore'], numbers: ['1,844.5', '1850'], weights: [0.75, 0.25] })
  expect(readQuestion('the?', [])).toBeUndefined()
})

test('runs of words are all that stand side by side', () => {
  expect(runsOf(['a', 'b', 'c'], 2)).toEqual(['a b', 'b c'])
  expect(runsOf(['a'], 2)).toEqual([])
})
