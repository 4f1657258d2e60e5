import { compoundsOf, partsOf } from './compounds.ts'

/**
 * Forms of a word in the language of a question. The index knows English endings alone, and a passage can be in any
 * language: so the question asks for the other forms, too. Only those count that some passage holds, so a form that does
 * not exist costs a look-up and nothing else.
 */

interface Language {
  /** Words that a question is made of. They give the language away, and say nothing about what is looked for. */
  small: Set<string>
  /** Letters that English has not. */
  letters: RegExp
  /** Whether one word of these letters gives the language away. */
  hasOwnScript?: boolean
  /** Letters of the shortest stem, where a syllable is one; 3 unless said. */
  shortestStem?: number
  /** Endings that are taken away, the longest first. */
  endings: string[]
  /** Endings that are put in their place, the most frequent first; '' stands for the bare stem. */
  forms: string[]
  /** Beginning and end that a stem gets in still other forms. */
  around?: [before: string, after: string][]
  /** Endings that stand for each other. */
  pairs?: [one: string, other: string][]
  /** Ends of stems that have another form: French "nettoie", "nettoyer". */
  stems?: [from: RegExp, to: string]
  /** Whether nouns, which begin with a capital, are written together to make others. */
  hasCompounds?: boolean
}

const words = (list: string) => list.split(' ')
const setOf = (list: string) => new Set(words(list))
const longestFirst = (list: string) => words(list).sort((a, b) => b.length - a.length)

/** The shortest stem: shorter ones are of too many words. */
const STEM_MIN_LENGTH = 3
/** Shorter words have no endings worth a look. */
const WORD_MIN_LENGTH = 3

const LANGUAGES: Language[] = [
  {
    // First: its words have letters of German and French, too.
    letters: /[ışğ]/,
    small: setOf(
      've ile için bir bu şu o da de mi mı mu mü midir mıdır mudur ne nedir neler neden niçin niye kim kimdir kimin kime nerede nereye nereden nasıl hangi hangisi kaç kaçta kaça kadar zaman var yok',
    ),
    endings: longestFirst(
      'lar ler ı i u ü yı yi yu yü sı si su sü ın in un ün nın nin nun nün a e ya ye da de ta te dan den tan ten dır dir dur dür ır ir ur ür ar er ıyor iyor uyor üyor acak ecek dı di du dü mış miş muş müş mak mek',
    ),
    forms: [
      '',
      ...words(
        'lar ler ları leri ı i u ü yı yi yu yü sı si su sü ın in un ün nın nin nun nün a e ya ye da de ta te dan den tan ten dır dir dur dür ır ir ur ür ar er ıyor iyor uyor üyor acak ecek dı di du dü tı ti tu tü mış miş muş müş mak mek',
      ),
    ],
  },
  {
    hasCompounds: true,
    letters: /[äöüß]/,
    small: setOf(
      'der die das dem den ein eine einen einem einer eines und oder nicht ist sind wird werden wurde wurden haben wie was wer wann wo warum welche welcher welches welchen für mit von zu zum zur auf im bei nach aus über kann muss darf soll viele lange ich wir man sich',
    ),
    endings: longestFirst('ern em en er es e n s te ten tet et st t'),
    forms: ['', ...words('e en er n s es ern em t et te ten st')],
    around: [
      ['ge', 't'],
      ['ge', 'en'],
    ],
    stems: [/^ge(?=\p{L}{3})/u, ''],
  },
  {
    letters: /[éèêàçùœ]/,
    small: setOf(
      'la de en le les une du et ou avec dans sur aux ce cette ces il elle nous vous ils elles qui quoi quel quelle quels quelles que où quand comment combien pourquoi est sont peut doit pour faut des',
    ),
    endings: longestFirst(
      'ements ement ations ation aient ait ées és ée é ons ez ent er ir es e s x ant ants ante antes',
    ),
    forms: ['', ...words('e s es er é ée és ées ent ez ons ait ant x ation ations ement ir')],
    stems: [/(?<=[aou])i$/, 'y'],
    pairs: [
      ['aux', 'al'],
      ['aux', 'ail'],
      ['euse', 'eur'],
      ['euses', 'eurs'],
      ['rice', 'eur'],
    ],
  },
  {
    letters: /[áéíóúñ]/,
    small: setOf(
      'la de en que el los las una unos unas es son está están por para con qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos cuántas del al se su sus puede debe hay',
    ),
    endings: longestFirst(
      'aciones ación ados adas idos idas ado ada ido ida ando iendo aron ieron amos emos imos es os as ar er ir an en ó a o e s',
    ),
    forms: ['', ...words('s es o a os as e ar er ir an en ado ada ados adas ido ida idos idas ó ación aciones')],
    pairs: [
      ['iones', 'ión'],
      ['ces', 'z'],
    ],
  },
  {
    letters: /\p{sc=Cyrl}/u,
    stems: [/ё/, 'е'],
    small: setOf(
      'кто что где куда откуда когда как сколько какой какая какое какие чей чья почему зачем чем можно нужно надо находится находятся в во на и с со по из к ко у о об за от до для не это или ли он она они мы вы я',
    ),
    endings: longestFirst(
      'яется ается уется ется ится яются аются уются ются ятся утся яться аться еться иться ялся ался ился ялась алась илась ялось алось илось ялись ались ились иями ями ами ого его ому ему ыми ими ией ешь ете ают яют уют ует ает яет ится ить ать ять еть ала ила али или ал ил ял ит ют ят ут ый ий ой ая яя ое ее ые ие ых их ую юю ым им ом ем ам ям ах ях ов ев ей ия ии ию ие а я о е ы и у ю ь',
    ),
    forms: [
      '',
      ...words(
        'а я о е ы и у ю ь ом ем ой ей ам ям ами ями ах ях ов ев ия ии ию ие ий ый ая ое ые ых их ого ему ому ую ым им ить ать ять ает ают яет яют ют ит ят ут ал ил ала ила али или ается яется уется ется ится аются яются уются ются ятся утся аться яться иться ался ялся ился алась ялась илась алось ялось илось ались ялись ились',
      ),
    ],
  },
  {
    letters: /\p{sc=Hang}/u,
    hasOwnScript: true,
    shortestStem: 1,
    small: setOf(
      '언제 언제까지 언제부터 몇 시에 시까지 누구 누가 누구입니까 누구인가요 누구예요 어디 어디에 어디서 어디에서 어디입니까 어디예요 무엇 무엇이 무엇을 무엇입니까 뭐 뭐예요 왜 어떻게 어느 어떤 얼마 얼마나 얼마입니까 얼마예요 얼마인가요 있습니까 있나요 있어요 됩니까 되나요 합니까 하나요 입니까 인가요',
    ),
    endings: longestFirst(
      '은 는 이 가 을 를 의 에 에서 에게 으로 로 와 과 도 만 까지 부터 들 들은 들이 입니다 입니까 이다 니다 니까',
    ),
    forms: [
      '',
      ...words('은 는 이 가 을 를 의 에 에서 에게 으로 로 와 과 도 만 까지 부터 들 들은 들이 입니다 이다 니다'),
    ],
  },
  {
    letters: /\p{sc=Han}/u,
    hasOwnScript: true,
    small: setOf(
      '几 几点 几点钟 几时 多少 多少钱 多久 多长 多大 多高 多远 谁 什么 什么时候 时候 何时 哪 哪里 哪儿 哪个 哪些 怎么 怎样 如何 为什么 请问 在 是 的 了 吗 呢 有',
    ),
    endings: [],
    forms: [],
  },
]

const IS_WORD = /^\p{L}+$/u

const ENGLISH = setOf('the is are was were what which who whom how when where why does did do of and in to a an')

/** Nouns of a question that each of its nouns is written together with. */
const MOST_PARTNERS = 4

/** Words that have to give a language away: one may be of a name, or of English as "die" is. */
const SIGNS_MIN = 2

/** A question's language, as far as searches know more of it than of English. */
interface QuestionLanguage {
  /** Whether a word only makes the question, and is not looked for. */
  isSmall(word: string): boolean
  /** Other forms of a word, some of which may not exist. */
  formsOf(word: string): string[]
  /** Words that a word makes together with one of these, some of which may not exist. */
  compoundsOf(word: string, others: readonly string[]): string[]
  /** Pairs of words that a word may be made of, some of which may not exist. */
  partsOf(word: string): [first: string, second: string][]
}

/** @returns undefined for English, for other languages, and for what gives none away */
export function languageOf(question: string): QuestionLanguage | undefined {
  const asked = question.toLowerCase().match(/\p{L}+/gu) ?? []
  const signsOf = (small: Set<string>, letters?: RegExp) =>
    asked.filter((word) => small.has(word) || letters?.test(word)).length
  const signsFor = ({ small, letters, hasOwnScript }: Language) =>
    signsOf(small, letters) * (hasOwnScript ? SIGNS_MIN : 1)
  let best: { language?: Language; count: number } = { count: Math.max(SIGNS_MIN - 1, signsOf(ENGLISH)) }
  for (const language of LANGUAGES) {
    const count = signsFor(language)
    if (count > best.count) best = { language, count }
  }
  const { language } = best
  if (!language) return undefined
  const isSmall = (word: string) => language.small.has(word.toLowerCase())
  const isNoun = (word: string) => language.hasCompounds && /^\p{Lu}\p{L}{2,}$/u.test(word) && !isSmall(word)
  return {
    isSmall,
    formsOf: (word) =>
      word.length >= Math.min(WORD_MIN_LENGTH, (language.shortestStem ?? WORD_MIN_LENGTH) + 1) && IS_WORD.test(word)
        ? formsOf(word.toLowerCase(), language)
        : [],
    compoundsOf(word, others) {
      if (!isNoun(word)) return []
      const nouns = others.filter((other) => other !== word && isNoun(other)).slice(0, MOST_PARTNERS)
      const [one, ...rest] = [word, ...nouns].map((noun) => noun.toLowerCase())
      return rest.flatMap((other) => [...compoundsOf(one!, other), ...compoundsOf(other, one!)])
    },
    partsOf: (word) =>
      language.hasCompounds && IS_WORD.test(word)
        ? partsOf(word.toLowerCase()).filter((parts) => !parts.some(isSmall))
        : [],
  }
}

function formsOf(word: string, language: Language): string[] {
  const { endings, forms, stems, around = [], pairs = [], shortestStem = STEM_MIN_LENGTH } = language
  const found = new Set<string>()
  const ending = endings.find((one) => word.endsWith(one) && word.length - one.length >= shortestStem)
  const stem = ending === undefined ? word : word.slice(0, -ending.length)
  const other = stems && stem.replace(...stems)
  for (const base of other && other !== stem ? [stem, other] : [stem]) for (const form of forms) found.add(base + form)
  for (const [before, after] of around) found.add(before + stem + after)
  for (const pair of pairs) {
    for (const [from, to] of [pair, pair.toReversed()])
      if (word.endsWith(from!)) found.add(word.slice(0, -from!.length) + to)
  }
  found.delete(word)
  return [...found]
}
