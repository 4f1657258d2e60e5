/** Scripts that only one language, or one above all, is written in. */
const SCRIPTS: [language: string, script: RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['zh', /\p{Script=Han}/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['ar', /\p{Script=Arabic}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['ru', /\p{Script=Cyrillic}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['th', /\p{Script=Thai}/gu],
]

/** Small words that are frequent in one language and rare in the others. */
const WORDS: Record<string, string> = {
  en: 'the and of to is are that with for not this be was which from they you have',
  de: 'der die das und ist nicht den von zu mit auf für ein eine dem werden wird sind auch',
  fr: 'le les et des est une dans pour que qui pas sur au aux du ce sont vous avec',
  es: 'el los las y del que en por con una para es se su al como más son',
  it: 'il gli di che per una non con del della sono è nel alla dei anche si',
  pt: 'o os que em uma para com não do da dos das no na é são ao',
  nl: 'het een van en dat niet op te zijn voor met aan wordt ook bij de',
  pl: 'i w na nie się że z do jest jak to od po są dla oraz',
}
const SETS = Object.entries(WORDS).map(([language, words]) => [language, new Set(words.split(' '))] as const)

const FEWEST = 2

/** Language of a text, by its script and its small words; undefined where they do not tell. */
export function languageOf(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const found = SCRIPTS.find(([language, script]) => {
    const share = (text.match(script)?.length ?? 0) / letters
    // Japanese mixes its own letters with Chinese ones.
    return share > (language === 'ja' ? 0.1 : 0.4)
  })
  if (found) return found[0]
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const scores = SETS.map(([language, known]) => ({ language, score: words.filter((word) => known.has(word)).length }))
  const [best, second] = scores.toSorted((a, b) => b.score - a.score)
  return best!.score >= FEWEST && best!.score > second!.score ? best!.language : undefined
}
