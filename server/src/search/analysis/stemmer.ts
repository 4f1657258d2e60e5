/**
 * English stems as the engine's index makes them: the Snowball algorithm "english" (Porter 2) in its present form.
 * `stemmer.test.ts` holds it against the engine itself.
 */

const IRREGULAR = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
])

const KEPT_AFTER_PLURAL = /^(?:inning|outing|canning|herring|earring|evening|proceed|exceed|succeed)$/

/** Beginnings whose first region is set by hand, because words of other meanings would fall together. */
const FIXED_REGION = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/
const REGION = /[aeiouy][^aeiouy]/
const HAS_VOWEL = /[aeiouy]/
const ENDS_SHORT = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|^past)$/
const DOUBLED = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/

const STEP_2: [suffix: string, replacement: string][] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['ogist', 'og'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
]

const STEP_3: [suffix: string, replacement: string][] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/

/** @param word in lower case. Words with other letters than a to z are cut by the same rules, as the engine does. */
export function stem(word: string): string {
  if (word.length < 3) return word
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined) return irregular

  let stemmed = markConsonantY(word)
  const first = firstRegion(stemmed)
  const second = regionAfter(stemmed, first)

  stemmed = withoutPlural(stemmed)
  if (KEPT_AFTER_PLURAL.test(stemmed)) return stemmed
  stemmed = withoutEdOrIng(stemmed, first)
  stemmed = stemmed.replace(/(?<=.[^aeiouy])[yY]$/, 'i')
  stemmed = step2(stemmed, first)
  stemmed = step3(stemmed, first, second)
  stemmed = step4(stemmed, second)
  stemmed = step5(stemmed, first, second)
  return stemmed.replaceAll('Y', 'y')
}

function markConsonantY(word: string): string {
  return word.includes('y') ? word.replace(/^y/, 'Y').replace(/(?<=[aeiouy])y/g, 'Y') : word
}

function firstRegion(word: string): number {
  const fixed = FIXED_REGION.exec(word)
  return fixed ? fixed[0].length : regionAfter(word, 0)
}

function regionAfter(word: string, start: number): number {
  const found = REGION.exec(word.slice(start))
  return found ? start + found.index + 2 : word.length
}

function withoutPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  return HAS_VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function withoutEdOrIng(word: string, first: number): string {
  const eed = /eed(?:ly)?$/.exec(word)
  if (eed && /^(?:proc|exc|succ)$/.test(word.slice(0, eed.index))) return word
  if (eed) return eed.index >= first ? word.slice(0, eed.index + 2) : word
  const suffix = /(?:ed|ing)(?:ly)?$/.exec(word)
  if (!suffix) return word
  const rest = word.slice(0, suffix.index)
  if (suffix[0] === 'ing' && /^[^aeiouy]y$/.test(rest)) return `${rest[0]}ie`
  if (!HAS_VOWEL.test(rest)) return word
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (DOUBLED.test(rest)) return /^[aeo]..$/.test(rest) ? rest : rest.slice(0, -1)
  return rest.length <= first && ENDS_SHORT.test(rest) ? `${rest}e` : rest
}

function step2(word: string, first: number): string {
  const entry = STEP_2.find(([suffix]) => word.endsWith(suffix))
  if (!entry) return word
  const [suffix, replacement] = entry
  const at = word.length - suffix.length
  if (at < first) return word
  if (suffix === 'ogi' && word[at - 1] !== 'l') return word
  if (suffix === 'li' && !/[cdeghkmnrt]/.test(word[at - 1] ?? '')) return word
  return word.slice(0, at) + replacement
}

function step3(word: string, first: number, second: number): string {
  const entry = STEP_3.find(([suffix]) => word.endsWith(suffix))
  if (!entry) return word
  const [suffix, replacement] = entry
  const at = word.length - suffix.length
  if (at < (suffix === 'ative' ? second : first)) return word
  return word.slice(0, at) + replacement
}

function step4(word: string, second: number): string {
  const suffix = STEP_4.exec(word)
  if (!suffix || suffix.index < second) return word
  if (suffix[0] === 'ion' && !/[st]$/.test(word.slice(0, suffix.index))) return word
  return word.slice(0, suffix.index)
}

function step5(word: string, first: number, second: number): string {
  const rest = word.slice(0, -1)
  if (word.endsWith('e')) {
    return rest.length >= second || (rest.length >= first && !ENDS_SHORT.test(rest)) ? rest : word
  }
  return word.endsWith('ll') && rest.length >= second ? rest : word
}
