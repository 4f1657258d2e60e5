import { expect, test } from 'vitest'
import { loadLance } from '../lance/lance-library.ts'
import { textIndexOptions } from '../lance/rows/lance-columns.ts'
import { lengthInTerms, spacedTerms, TermFinder, termOf } from './analysis.ts'

const TEXTS = [
  'Themselves, he had owned the universities before; only the willing were organized in the evening.',
  `Don't mix it's and Don’t with O'Neill's: foo@bar.com, U.S.A., C++, C#, .NET and node.js.`,
  'ACTIVITY_DOUBLING_DEGREES in meter.local, HS-7730-L, x86_64, getUserName, a_b_c, 3.14, 1,000, 12/05/2020',
  'Café, naïve, Ångström, Straße, Łódź, Đorđe, þing, Ærø, ﬁne, ＦＵＬＬ width １２３',
  'CO₂, m², 10⁻⁶, ½, ①, Ⅷ, 1st, H2O, £12, 50–60, a/b, soft\u00adhyphen, zero\u200bwidth',
  'русский язык, ΣΊΣΥΦΟΣ, हिन्दी भाषा, العربية, עברית, 한국어 문장',
  '🎉 party 👍🏽 ok',
  `${'x'.repeat(95)} ${'y'.repeat(96)} ${'я'.repeat(47)} ${'ю'.repeat(48)}`,
  'the of and',
  '',
]

test('texts are split, stemmed and thinned exactly as the index does it', async () => {
  const { tokenize } = await loadLance()
  for (const text of TEXTS) {
    const ofEngine = (await tokenize(text, textIndexOptions())).map((token) => token.text)
    expect(spacedTerms(text)).toEqual(ofEngine)
    expect(lengthInTerms(text)).toBe(ofEngine.length)
  }
})

test('terms are found in all their forms, with the words between them', () => {
  const finder = new TermFinder(['run', 'univers', 'elan'])
  expect(finder.find('Running through UNIVERSAL runs; the Élan of it')).toEqual([
    { term: 0, position: 0 },
    { term: 0, position: 3 },
    { term: 2, position: 5 },
  ])
})

test('no form of a term is overlooked for how it begins', async () => {
  const words = [
    'Lying',
    'lies',
    'TIES',
    'vying',
    'École',
    'eÉl',
    'œuvre',
    'C',
    'c',
    '3',
    'I18N',
    'Ångström',
    'ßa',
    'Skies',
  ]
  for (const word of words) {
    const finder = new TermFinder([termOf(word)])
    expect([word, finder.find(`x ${word} y`)]).toEqual([word, [{ term: 0, position: 1 }]])
  }
})

test('terms of scripts without spaces are found inside their runs', () => {
  const finder = new TermFinder(['東京', 'タワー', 'tokyo'])
  const matches = finder.find('昨日 tokyo の東京タワーへ')
  expect(matches.map(({ term }) => term)).toEqual([2, 0, 1])
  expect(matches[2]!.position - matches[1]!.position).toBe(1)
})
