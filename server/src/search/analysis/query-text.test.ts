import { expect, test } from 'vitest'
import { QUERY_MAX_TERMS } from '../engine.ts'
import { readQueryText } from './query-text.ts'

const byCharacter = async (run: string) => [...run]

test('a question becomes its words, without stop words and syntax, repeated as often as they count', async () => {
  expect(await readQueryText('What is "Running" AND (runs OR +ran)^2 ~*?', byCharacter)).toEqual({
    searchText: 'Running runs ran 2',
    terms: ['run', 'ran', '2'],
    counts: [2, 1, 1],
    forms: [[], [], []],
    formsText: '',
    partsOf: expect.any(Function),
    codes: [],
  })
})

test('a refrain counts four times, however often it comes', async () => {
  expect(await readQueryText(`${'row '.repeat(50)}boat`, byCharacter)).toMatchObject({
    terms: ['row', 'boat'],
    counts: [4, 1],
  })
})

test('runs without spaces are split by the engine and asked for as they are', async () => {
  expect(await readQueryText('東京 tower 東', byCharacter)).toEqual({
    searchText: '東京 tower',
    terms: ['東', '京', 'tower'],
    counts: [1, 1, 1],
    forms: [[], [], []],
    formsText: '',
    partsOf: expect.any(Function),
    codes: [],
  })
})

test('decomposed letters are composed, as they are in the index', async () => {
  expect((await readQueryText('de\u0301compose\u0301', byCharacter)).terms).toEqual(['decompose'])
})

test('long texts are cut', async () => {
  const words = Array.from({ length: 50_000 }, (_, index) => `word${index}`)
  const { searchText, terms } = await readQueryText(words.join(' '), byCharacter)
  expect(terms).toHaveLength(QUERY_MAX_TERMS)
  expect(searchText.split(' ')).toHaveLength(QUERY_MAX_TERMS)
})

test('text without words gives none', async () => {
  for (const text of ['', ' ', '?!', 'the of and', '\u0000\ud800', '🎉', 'x'.repeat(200_000)]) {
    expect(await readQueryText(text, byCharacter)).toMatchObject({
      searchText: '',
      terms: [],
      counts: [],
      forms: [],
      formsText: '',
      partsOf: expect.any(Function),
      codes: [],
    })
  }
})

test('a question in another language has the other forms of its words, and its small words are not asked for', async () => {
  const german = await readQueryText('Wann werden die Rechnungen bezahlt?', byCharacter)
  expect(german.terms).toEqual(['rechnungen', 'bezahlt'])
  expect(german.forms[0]).toContain('rechnung')
  expect(german.forms[1]).toContain('bezahlen')
  expect(german.searchText).toBe('Rechnungen bezahlt')
  expect((await readQueryText('Когда оплачивают счета?', byCharacter)).forms[1]).toContain('счет')
  expect((await readQueryText('Wie ist die', byCharacter)).terms).toEqual(['die'])
})

test('a German question asks for what its nouns make together, and knows what a noun may be made of', async () => {
  const { forms, formsText, partsOf, terms } = await readQueryText('Welche Frist gilt für eine Kündigung?', byCharacter)
  expect(terms).toEqual(['frist', 'gilt', 'kundigung'])
  expect(forms[0]).toEqual(expect.arrayContaining(['kundigungsfrist', 'fristkundigung']))
  expect(forms[1]!.some((form) => form.includes('kundigung'))).toBe(false)
  expect(formsText.split(' ').filter((form) => form === 'kündigungsfrist')).toHaveLength(2)
  expect(partsOf(terms[2]!)).toContainEqual(['kund', 'igung'])
  expect(partsOf('frist')).toEqual([])
  expect(partsOf('unasked')).toEqual([])
  const spanish = await readQueryText('¿Cuándo está el Plazo de Cancelación?', byCharacter)
  expect(spanish.terms.flatMap((term) => spanish.partsOf(term))).toEqual([])
})

test.each<[question: string, terms: string[], forms: [term: string, form: string][]]>([
  ['Gecikme ücreti ne kadar?', ['gecikm', 'ucreti'], [['ucreti', 'ucret']]],
  ['Kütüphane saat kaçta açılıyor?', ['kutuphane', 'saat', 'acılıyor'], [['acılıyor', 'acılır']]],
  ['연체료는 얼마입니까?', ['연체료는'], [['연체료는', '연체료가']]],
  ['관장은 누구입니까?', ['관장은'], [['관장은', '관장이']]],
  ['도서관은 언제 엽니까?', ['도서관은', '엽니까'], [['엽니까', '엽니다']]],
  ['Во сколько открывают библиотеку?', ['открывают', 'библиотеку'], [['открывают', 'открывается']]],
  ['Сколько начислят штрафа?', ['начислят', 'штрафа'], [['начислят', 'начисляется']]],
  ['Куда возвращать книги?', ['возвращать', 'книги'], [['возвращать', 'возвращаются']]],
])('what only asks is not looked for, and endings may differ: %s', async (question, terms, forms) => {
  const read = await readQueryText(question, byCharacter)
  const plain = (term: string) => term.replaceAll('ı', 'i')
  expect(read.terms.map(plain)).toEqual(terms.map(plain))
  for (const [term, form] of forms) expect(read.forms[terms.indexOf(term)]!.map(plain), term).toContain(plain(form))
})

test('of Chinese, words that only ask are left out, unless there are no others', async () => {
  const segmented = (...words: string[]) => readQueryText(words.join(''), async () => words)
  expect((await segmented('几点', '开门')).terms).toEqual(['开门'])
  expect((await segmented('逾期', '费', '多少')).terms).toEqual(['逾期', '费'])
  expect((await segmented('多少')).terms).toEqual(['多少'])
})

test('English questions have no other forms, also with a foreign name in them', async () => {
  const { forms, terms } = await readQueryText('When was the Museo del Prado in Madrid built?', byCharacter)
  expect([forms.flat(), terms]).toEqual([[], ['museo', 'prado', 'madrid', 'built']])
  expect(await readQueryText('Die Hard', byCharacter)).toMatchObject({ terms: ['die', 'hard'], formsText: '' })
})

test('codes are known by their letters and digits, with how else they may be written', async () => {
  const codesOf = async (question: string) =>
    (await readQueryText(question, byCharacter)).codes.map(({ terms, others }) => [
      terms.join(' '),
      ...others.map(({ text }) => text),
    ])
  expect(await codesOf('Is KX-4471-B in stock, or E207?')).toEqual([
    ['kx 4471 b', 'KX4471B'],
    ['e207', 'E 207'],
  ])
  expect(await codesOf('Was 4,200 paid on 2026-01-31 for well-known goods?')).toEqual([])
})
