/** Small words that give away a text's language, without accents, also as English recognition misreads them. */
const SMALL_WORDS: Record<string, string> = {
  eng: 'the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you were all her she there would their we him been has when who will no more if out so up what your can may do any me my our only also into than then these its a i',
  deu: 'der die das und ist nicht ein eine einen einem einer mit auf fur fiir sich dem den des sie wird werden zu zum zur im auch nach bei beim aus nur oder wie uber iiber ihre ihren ihr sind vor bitte kann muss mussen miissen durch wenn diese dieser dieses unter von vom bis noch wir haben sein seine',
  fra: 'le la les des une est dans pour que qui sur pas au aux avec sont du et ou vous nous il elle ce cette par plus ne se son ses leur ete deux sans tout mais etre avant apres',
  spa: 'el los las del una por con para que es en la se su al como mas pero sus esta dos lo un y este sin sobre antes despues donde',
  ita: 'di che il per una un con non sono del della le si gli nel alla dei da lo anche piu come questo ma delle',
  por: 'os do da dos das em uma um para com nao que se por mais na ao pelo pela como mas foi sao',
  pol: 'na sie nie jest ze po za od dla jak ale lub przed oraz prosze przez przy do to czy tym',
  ces: 'na se je ze do pro jako nebo po pri podle aby jsou byl ale kdyz jeho tak',
  swe: 'och att det som en ett ar av med inte till den har om vid eller fran pa for de kan ska',
  dan: 'og at det som en et er af med ikke til den har om ved eller fra pa kan skal vi de',
  nor: 'og at det som en et er av med ikke til den har om ved eller fra pa kan skal vi de',
  fin: 'ja on ei se etta kun tai ovat oli myos mutta sen joka niin kuin ole',
  hun: 'az es hogy nem egy meg van ezt csak vagy ha is mint ez volt',
  ron: 'si de la cu pe un nu este din pentru care sau sa au fost prin mai',
  tur: 've bir bu icin ile da de olarak daha sonra gibi veya var ne',
}

const ENGLISH = new Set(SMALL_WORDS.eng!.split(' '))
/** Small words of languages other than English, without those that English has, too. */
const OTHERS = Object.entries(SMALL_WORDS)
  .filter(([code]) => code !== 'eng')
  .map(([code, words]) => [code, new Set(words.split(' ').filter((word) => !ENGLISH.has(word)))] as const)

/**
 * Least number of different function words that identify a language, besides their share of all words; names and
 * addresses have a few, too.
 */
const LEAST_DIFFERENT = 3
const LEAST_SHARE = 0.15
/** Length up to which a text counts as one of a few words. */
const FEW_WORDS = 10
const LEAST_OF_FEW = 2

/**
 * The language of a text in Latin script, by its small words.
 * @returns Tesseract's code for it; undefined for English and for what cannot be recognised
 */
export function languageOf(words: readonly string[]): string | undefined {
  const plain = words.map(withoutAccents)
  const english = plain.filter((word) => ENGLISH.has(word)).length
  let best: { code: string; count: number } | undefined
  for (const [code, known] of OTHERS) {
    const found = plain.filter((word) => known.has(word))
    const least = words.length <= FEW_WORDS ? LEAST_OF_FEW : LEAST_DIFFERENT
    if (new Set(found).size < least || found.length < words.length * LEAST_SHARE) continue
    if (found.length > 2 * english && found.length > (best?.count ?? 0)) best = { code, count: found.length }
  }
  return best?.code
}

/** Words that are looked at together where a text may be in two languages. */
const PART = 12

/** The language other than English in which a part of an English text is, by the function words of that part. */
export function languageOfPart(words: readonly string[]): string | undefined {
  for (let at = 0; at + PART <= words.length; at += PART / 2) {
    const language = languageOf(words.slice(at, at + PART))
    if (language !== undefined) return language
  }
  return undefined
}

const withoutAccents = (word: string): string =>
  word.toLowerCase().replaceAll('ß', 'ss').normalize('NFD').replaceAll(/\p{M}/gu, '')
