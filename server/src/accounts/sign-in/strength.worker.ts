import { parentPort } from 'node:worker_threads'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common'
import { dictionary as english, translations } from '@zxcvbn-ts/language-en'

export interface StrengthTask {
  password: string
  about: string[]
}

export interface Strength {
  /** 0 to 4 */
  score: number
  /** Advice in sentences; empty where there is none. */
  why: string
}

/** Longer ones are judged by their beginning: the time that it takes grows with the square of the length. */
const JUDGED = 72

const judge = new ZxcvbnFactory({ dictionary: { ...common, ...english }, graphs: adjacencyGraphs, translations })

parentPort!.on('message', ({ password, about }: StrengthTask) => {
  const { score, feedback } = judge.check(password.slice(0, JUDGED), about)
  const sentences = [feedback.warning, ...feedback.suggestions].filter((text): text is string => Boolean(text))
  const why = sentences.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' ')
  parentPort!.postMessage({ score, why } satisfies Strength)
})
