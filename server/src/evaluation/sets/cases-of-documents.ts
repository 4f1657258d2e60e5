import type { Caller } from '../../access/access.ts'
import type { AgentRecord } from '../../agents/agents.ts'
import { sentences } from '../../content/chunks/sentences.ts'
import type { Db } from '../../db.ts'
import { findNamedFile } from '../../drive/drive.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Models } from '../../platform/models/models.ts'
import type { FoundPassage, RetrievalService } from '../../retrieval/retrieval.ts'
import { holds } from '../measures/measures.ts'
import type { AddCases } from './sets.schemas.ts'
import type { NewCase } from './sets.service.ts'
import { type CountUsage, type WriteQuestion, writesQuestions } from './write-question.ts'

type Wanted = Extract<AddCases, { from: 'documents' }>

export type CasesOfDocuments = (
  caller: Caller,
  agent: AgentRecord,
  wanted: Wanted,
  signal: AbortSignal,
) => Promise<NewCase[]>

export interface CasesOfDocumentsOptions {
  db: Db
  retrieval: Pick<RetrievalService, 'listFiles' | 'readFile'>
  models: Models
  /** Counts what a model spent on them. */
  countUsage(caller: Caller, agent: AgentRecord): CountUsage
}

/** Files that are read for questions at most. */
const MOST_FILES = 100
/** Words of a file that are read. */
const WORDS_READ = 4_000
/** Questions that one file gives at most. */
const MOST_OF_FILE = 5

type Passage = Pick<FoundPassage, 'text' | 'location'>

/** Makes cases of documents that the caller may read: of their headings and sentences, or as a model writes them. */
export const createCasesOfDocuments =
  ({ db, retrieval, models, countUsage }: CasesOfDocumentsOptions): CasesOfDocuments =>
  async (caller, agent, { limit, model: modelName }, signal) => {
    const { knowledgeBaseIds: folderIds, filters } = agent
    if (folderIds.length === 0) throw invalidField('from', 'the agent has no folder with documents')
    const model = modelName === null ? undefined : await findModel(models, agent, modelName)
    const write = model ? writesQuestions(model, countUsage(caller, agent), signal) : askByHeading
    const among = { folderIds, ...(filters && { filters: [filters] }) }
    const { files } = await retrieval.listFiles(caller, { ...among, limit: MOST_FILES })
    const ready = files.filter(({ status }) => status === 'successful')
    const each = Math.min(MOST_OF_FILE, Math.max(1, Math.ceil(limit / Math.max(1, ready.length))))
    const cases: NewCase[] = []
    for (const { id } of ready) {
      if (cases.length >= limit) break
      const from = { dataSourceId: id, ...among, filters: among.filters, start: 0, maxWords: WORDS_READ }
      const read = await retrieval.readFile(caller, from, signal)
      const named = read && (await findNamedFile(db, caller, folderIds, { id }))
      if (!named) continue
      const isShared = named.organizationId !== caller.organizationId
      const chosen = passagesOf(read.passages, read.title).slice(0, Math.min(each, limit - cases.length))
      for (const passage of chosen) {
        const written = await write(read.title, passage)
        if (!written || !holds(passage.text, written.answer)) continue
        cases.push({
          question: written.question,
          expectedAnswers: [written.answer],
          referenceAnswer: null,
          expectedFiles: [{ id, passage: written.answer, ...(isShared && { isShared }) }],
          tags: ['from documents'],
          isAnswerable: true,
          source: 'document',
          messageId: null,
        })
      }
    }
    return cases
  }

async function findModel(models: Models, agent: AgentRecord, name: string) {
  const set = await models.of(agent)
  const problem = set.problemWith(name)
  if (problem) throw invalidField('model', problem)
  const model = set.resolve(name)
  if (model.onlyQuotes) throw invalidField('model', 'must be a model that writes texts of its own; or leave it out')
  return model
}

/** The first passage below each heading; the first of all, where there is no heading. */
function passagesOf(passages: Passage[], title: string): Passage[] {
  const byHeading = new Map<string, Passage>()
  for (const passage of passages) {
    const heading = headingOf(passage)
    if (heading && heading !== title && !byHeading.has(heading)) byHeading.set(heading, passage)
  }
  return byHeading.size > 0 ? [...byHeading.values()] : passages.slice(0, 1)
}

const headingOf = ({ location }: Passage): string | undefined => {
  const heading = location.heading_path?.at(-1)?.trim()
  return heading && /^.{4,120}$/u.test(heading) ? heading : undefined
}

/** Asks for what is below a heading, whose first whole sentence is the answer. */
const askByHeading: WriteQuestion = async (title, passage) => {
  const heading = headingOf(passage)
  const lines = passage.text.split('\n').filter((line) => line.trim() !== heading && !line.startsWith('#'))
  const answer = [...sentences(lines.join('\n'))].map((one) => one.trim()).find((one) => one.split(/\s+/).length >= 4)
  if (answer === undefined) return undefined
  const name = title.replace(/\.\w{1,5}$/, '')
  if (heading === undefined)
    return { question: isQuestion(name) ? asQuestion(name) : `What is “${name}” about?`, answer }
  return { question: isQuestion(heading) ? asQuestion(heading) : `What does “${name}” say about “${heading}”?`, answer }
}

const isQuestion = (text: string) => /\?$|^(who|what|when|where|why|which|how)\b/i.test(text)
const asQuestion = (text: string) => `${text.replace(/\?$/, '')}?`
