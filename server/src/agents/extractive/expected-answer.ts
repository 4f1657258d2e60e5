const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million|billion|half|third|quarter|dozen|first|second)\b/gi
const CALENDAR =
  'January|February|March|April|May|June|July|August|September|October|November|December|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day'
const DATE = new RegExp(String.raw`\b(?:1\d{3}|20\d{2})s?\b|\b(?:${CALENDAR}|century|BC|AD)\b|\b\d{1,2}:\d{2}\b`, 'g')
/** A word with a capital that does not begin the sentence. */
const NAME = new RegExp(String.raw`(?<=\S\s+["“'(]?)(?!(?:${CALENDAR})\b)\p{Lu}\p{L}+`, 'gu')

const KINDS: [asks: RegExp, answer: RegExp][] = [
  [/\bwhen\b|\b(?:what|which) (?:year|date|day|month|time|century|decade)\b/i, DATE],
  [
    /\bhow (?:many|much|long|old|far|tall|high|large|big|often|fast|deep|wide|heavy)\b|\b(?:what|which) (?:percent|percentage|number|amount|age|size|population|price|proportion)\b/i,
    NUMBER,
  ],
  [/\bwho(?:m|se)?\b|\bwhere\b|\b(?:what|which) (?:city|country|state|place|river|region|town|county)\b/i, NAME],
]

/**
 * Test of a sentence by the question word: whether it holds a date, a number or a name that is not in the question
 * already. English questions only; for others every sentence fails.
 */
export function expectedAnswer(question: string): (sentence: string) => boolean {
  const kind = KINDS.find(([asks]) => asks.test(question))
  if (!kind) return () => false
  const asked = question.toLowerCase()
  return (sentence) => {
    for (const [found] of sentence.matchAll(kind[1])) if (!asked.includes(found.toLowerCase())) return true
    return false
  }
}
