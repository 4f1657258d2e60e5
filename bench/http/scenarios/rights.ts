import type { Api, Chat } from '../client/api.ts'
import { closedLoop } from '../load.ts'
import { giveManyRights } from '../many-rights.ts'
import { median } from '../report/statistics.ts'
import type { Sample, Scenario, Setting } from '../scenario.ts'
import { startSide } from '../sides.ts'
import { askFor, wordsOf } from '../words.ts'

const WORDS = 20
const ANSWER = wordsOf(WORDS)
const CLIENTS = 16
const TOOL = 'list_files'

/** Questions, each with the fields of the agent that is asked, and how many turns with and without are compared. */
const QUESTIONS = {
  plain: { query: askFor(WORDS), label: 'agent without folders', pairs: 6 },
  few: { query: `call ${TOOL} 1 times, ${askFor(WORDS)}`, label: 'agent that looks into 10 folders', pairs: 6 },
  part: { query: `call ${TOOL} 1 times, ${askFor(WORDS)}`, label: 'agent that looks into 1,000 folders', pairs: 4 },
  all: { query: `call ${TOOL} 1 times, ${askFor(WORDS)}`, label: 'agent that looks into 10,000 folders', pairs: 4 },
} as const
type Question = keyof typeof QUESTIONS
const NAMES = Object.keys(QUESTIONS) as Question[]

/** The two that ask: a key of the workspace, which reads all, and a member whose rights are looked at. */
interface Asker {
  api: Api
  chats: Record<Question, Chat[]>
}
interface Askers {
  pid: number
  key: Asker
  member: Asker
}

let askers: Askers | undefined

const load = ({ api, chats }: Asker, question: Question, pid: number, seconds: number) =>
  closedLoop({ clients: CLIENTS, seconds, pid }, async (client) => {
    const { text, ms } = await api.ask(chats[question][client]!, QUESTIONS[question].query)
    if (text !== ANSWER) throw new Error(`not the answer: ${text}`)
    return { ms }
  })

async function start(setting: Setting): Promise<Askers> {
  const { server, api } = await startSide('docent', 'rights', setting)
  const { member, rootId, partId, fewId } = await giveManyRights(server.url, api)
  const fields = { tools: [TOOL], visibility: 'organization' }
  const agents: Record<Question, string> = {
    plain: await api.createAgent({ visibility: 'organization' }),
    few: await api.createAgent({ ...fields, knowledge_base_ids: [fewId] }),
    part: await api.createAgent({ ...fields, knowledge_base_ids: [partId] }),
    all: await api.createAgent({ ...fields, knowledge_base_ids: [rootId] }),
  }
  const askerWith = async (by: Api): Promise<Asker> => ({
    api: by,
    chats: {
      plain: await by.createChats(agents.plain, CLIENTS),
      few: await by.createChats(agents.few, CLIENTS),
      part: await by.createChats(agents.part, CLIENTS),
      all: await by.createChats(agents.all, CLIENTS),
    },
  })
  return { pid: server.pid, key: await askerWith(api), member: await askerWith(member) }
}

/** CPU of both in turns, A B B A, and what the second takes more, in percent. */
async function compare({ pid, key, member }: Askers, question: Question, seconds: number): Promise<Sample> {
  const without: number[] = []
  const more: number[] = []
  for (let pair = 0; pair < QUESTIONS[question].pairs; pair++) {
    const cpuOf = async (asker: Asker) => (await load(asker, question, pid, seconds)).cpuMsEach
    const first = pair % 2 ? member : key
    const a = await cpuOf(first)
    const b = await cpuOf(first === key ? member : key)
    const [ofKey, ofMember] = first === key ? [a, b] : [b, a]
    without.push(ofKey)
    more.push((ofMember / ofKey - 1) * 100)
  }
  return { [`${question}Cpu`]: median(without), [`${question}More`]: median(more) }
}

/** Queries of a member whose rights to folders are looked at, beside those of a key that reads all. */
export const rights: Scenario = {
  name: 'rights',
  sides: ['docent'],
  figures: NAMES.flatMap((name) => [
    { metric: `${name}Cpu`, label: `${QUESTIONS[name].label}, no rights to check, CPU ms a query` },
    { metric: `${name}More`, label: '10,000 folders, 1,000 groups: more CPU for the check, %', goal: { max: 5 } },
  ]),

  async prepare(_side, setting) {
    askers = await start(setting)
    for (const name of NAMES) for (const asker of [askers.key, askers.member]) await load(asker, name, askers.pid, 1)
  },

  async measure(_side, { seconds }) {
    const samples: Sample[] = []
    for (const name of NAMES) samples.push(await compare(askers!, name, seconds))
    return Object.assign({}, ...samples)
  },
}
