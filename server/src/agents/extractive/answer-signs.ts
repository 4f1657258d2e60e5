import type { AskedQuestion } from './asked-question.ts'

const CALENDAR =
  'January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember'

/** Things by which a sentence may answer a kind of question. */
const SIGNS = {
  date: new RegExp(
    String.raw`\b(?:1\d{3}|20\d{2})s?\b|\b(?:${CALENDAR}|century|BC|AD|Jahrhundert)\b|\b\d{1,2}:\d{2}\b`,
    'g',
  ),
  number:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|billion|half|third|quarter|dozen|first|second|once|twice|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|hundert|tausend)\b/gi,
  /** A word with a capital that does not begin the sentence. */
  name: new RegExp(String.raw`(?<=\S\s+["“'(]?)(?!(?:${CALENDAR})\b)\p{Lu}[\p{L}\p{N}.-]+`, 'gu'),
  place: /\b(?:in|at|near|from|to|of|on)\s+(?:the\s+)?\p{Lu}\p{L}+/gu,
  unit: /\d\s*(?:%|percent|million|billion|thousand|km|mm|cm|miles|meters|metres|feet|kg|pounds|years|days|hours|minutes|seconds|inches|people|acres|°|degrees|mph)|[$£€]\s*\d/gi,
  reason:
    /\b(?:because|due to|since|so that|in order to|as a result|caused|reason|led to|therefore|thus|weil|denn|damit|wegen|parce que|porque)\b/gi,
  naming:
    /\b(?:called|named|known as|referred to as|termed|titled|nicknamed|genannt|heißt|appelée?|llamad[oa])\b|["“”„«]/gi,
} as const

/** Signs in a sentence that the question does not hold already: `when:date`. */
export function answerSigns({ lowerCase: asked, kind }: AskedQuestion, sentence: string): string[] {
  return Object.entries(SIGNS)
    .filter(([, sign]) => sentence.matchAll(sign).some(([found]) => !asked.includes(found.toLowerCase())))
    .map(([name]) => `${kind}:${name}`)
}
