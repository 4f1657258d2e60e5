import { expect, test } from 'vitest'
import { loadLance } from '../lance/lance-library.ts'
import { stem } from './stemmer.ts'

const ROOTS = `
  accept add agree archae bacteri band base beauti begin bias bid bit boy bus by carry cat cement city class commun
  consign consist control cosmos cry deny die dying early easy egg emerg enter even exceed excess fail fall feed fill
  fish flow fly free fulfil gener gentle good grand hard hate heal hero hop hope howe idle ill inning inter internal
  jump key kind knack knight knock lie local logic luxuri matt move nation news normal oblig odd off ones only organ
  past pasted play ponies possess post pray proceed program proper quick radio rate real relate reply revise sad say
  sensible separate sequel sing sky snow soft spring star sub succeed sun supply sway swim tan tax tie toy try
  triplic ugly univers use valid value vary vile vow want wax widow wish year yell yes young zoo`
  .trim()
  .split(/\s+/)

const ENDINGS = [
  '',
  ...'s es ed ing ly edly ingly ness ful fulness able ability ation ational ative ator al alism ality ally'.split(' '),
  ...'ance ence ent ently er ery est ible ic ical icate ion ions ism ist ity ive ize izer ization less lessly'.split(
    ' ',
  ),
  ...'li ment ments ogist ogists ology ous ously y ying yed ies ied eed eedly ss us'.split(' '),
]

test('words are cut exactly as the engine cuts them', async () => {
  const { tokenize } = await loadLance()
  const words = [...new Set(ROOTS.flatMap((root) => ENDINGS.map((ending) => root + ending)))]
  const options = { baseTokenizer: 'simple', stem: true, removeStopWords: false, lowercase: true } as const
  const ofEngine = (await tokenize(words.join(' '), options)).map(({ text }) => text)

  expect(words.length).toBeGreaterThan(5_000)
  const different = words.flatMap((word, index) =>
    stem(word) === ofEngine[index] ? [] : [`${word}: ${stem(word)}, not ${ofEngine[index]}`],
  )
  expect(different).toEqual([])
})
