import { onFirstUse } from '../../platform/concurrency/lazy.ts'
import { stem } from './stemmer.ts'

/**
 * Words that are neither indexed nor searched, of the languages most asked in, unless they are words of content in
 * another: German "die" is an English verb, Spanish "los" half of a city's name. The engine's own English list is wider
 * and drops single letters and digits, with which "vitamin C" and "section 3" could not be told apart; this one holds
 * function words, the words that questions are made of, and what contractions leave behind when they are split at the
 * apostrophe.
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
  all any both each few more most much many other some such no not only same too very just also now
  s t d ll m re ve don doesn didn isn aren wasn weren haven hasn hadn won wouldn couldn shouldn
  der das dem des ein eine einen einem einer eines und oder nicht ist sind wird werden wurde wurden haben von zu zum
  zur für auf im bei nach aus über unter wie wo wann wer wen wem welche welcher welches welchen warum viel viele ich
  wir ihr sie es sich auch noch nur dass
  le la les un une du de et ou avec dans sur aux ce cette ces il elle nous vous ils elles qui que quoi quel quelle
  quels quelles où quand comment combien pourquoi qu
  el del una unos unas está están por para en qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuánta cuántos
  cuántas se su sus lo al
  gli della dello delle dei degli di che chi quale quali quando quanto quanta quanti perché è
  het een zijn waar wanneer hoe hoeveel welke waarom niet voor
  do da um uma são é quem qual quais onde quantos
  は が を に へ と も の で から まで です ます でした ました か どこ 何 いつ 誰 なぜ どう
  的 了 是 在 和 吗 呢 什么 哪里 哪儿 谁 怎么 为什么
`
  .trim()
  .split(/\s+/)

/** The index drops stop words after stemming, so the list is one of stems. */
export const stopTerms = onFirstUse((): ReadonlySet<string> => new Set(STOP_WORDS.map(stem)))
