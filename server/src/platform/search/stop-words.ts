import { stem } from './stemmer.ts'

/**
 * Words that are neither indexed nor searched. The engine's own English list is wider and drops single letters and
 * digits, with which "vitamin C" and "section 3" could not be told apart; this one holds function words, the words
 * that questions are made of, and what contractions leave behind when they are split at the apostrophe.
 */
const STOP_WORDS = `
  a an the and or but nor if so than as because while until though although
  i me my myself we us our ours ourselves you your yours yourself yourselves
  he him his himself she her hers herself it its itself they them their theirs themselves
  this that these those there here
  am is are was were be been being have has had having do does did doing done
  can could will would shall should may might must
  of at by for with about against between into through during before after above below to from up down
  in out on off over under again further then once upon
  what which who whom whose when where why how
  all any both each few more most other some such no not only same too very just also now
  s t d ll m re ve don doesn didn isn aren wasn weren haven hasn hadn won wouldn couldn shouldn
  は が を に へ と も の で から まで です ます でした ました か どこ 何 いつ 誰 なぜ どう
  的 了 是 在 和 吗 呢 什么 哪里 哪儿 谁 怎么 为什么
`
  .trim()
  .split(/\s+/)

/** The index drops stop words after stemming, so the list is one of stems. */
export const STOP_TERMS: readonly string[] = [...new Set(STOP_WORDS.map(stem))]
