import type { Caller } from '../../access/access.ts'
import type { AgentService } from '../../agents/agents.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx } from '../../db.ts'
import { findTitles } from '../../drive/drive.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Models } from '../../platform/models/models.ts'
import { EvaluationCaseNotFoundError, EvaluationLimitError, EvaluationSetNotFoundError } from '../evaluation.errors.ts'
import { type ScheduleFields, toSchedule } from '../nightly/schedule.schemas.ts'
import { nextNight } from '../nightly/schedule.ts'
import { setSchedule } from '../nightly/schedules.store.ts'
import { type CaseRecord, countCases, deleteCase, findCase, insertCases, listCases, updateCase } from './cases.store.ts'
import type { CasesOfDocuments } from './cases-of-documents.ts'
import type { CasesOfRatings } from './cases-of-ratings.ts'
import { statesOf } from './current-files.ts'
import { findExpectedFiles } from './expected-files.ts'
import { readCsv } from './read-csv.ts'
import {
  type AddCases,
  type CasePath,
  type CreateCase,
  type CreateSet,
  MOST_CASES,
  MOST_SETS,
  type SetPath,
  type UpdateCase,
  type UpdateSet,
} from './sets.schemas.ts'
import {
  countSets,
  deleteSet,
  deleteSetsOf,
  type EvaluationSetRecord,
  findSet,
  holdSet,
  insertSet,
  listSets,
  updateSet,
} from './sets.store.ts'

export interface EvaluationSetOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  agents: AgentService
  models: Models
  ofRatings: CasesOfRatings
  ofDocuments: CasesOfDocuments
}

const inBody = (index: number, file: number) => ({ path: `cases.${index}.expected_files.${file}` })

/** A case that is not stored yet. */
export type NewCase = Omit<CaseRecord, 'id' | 'createdAt' | 'updatedAt'>

/** Question sets, for those who may change the agent. */
export class EvaluationSetService {
  readonly #options: EvaluationSetOptions

  constructor(options: EvaluationSetOptions) {
    this.#options = options
  }

  /** @throws AgentNotFoundError, ForbiddenError, EvaluationSetNotFoundError */
  async get(caller: Caller, { agent_id, evaluation_set_id }: SetPath): Promise<EvaluationSetRecord> {
    const agent = await this.#options.agents.getOwn(caller, agent_id)
    const set = await findSet(this.#options.db, caller.organizationId, agent.id, evaluation_set_id)
    if (!set) throw new EvaluationSetNotFoundError()
    return set
  }

  async list(caller: Caller, agentId: string, { page, page_size }: { page: number; page_size: number }) {
    const { db, agents } = this.#options
    const { organizationId } = caller
    const agent = await agents.getOwn(caller, agentId)
    const range = { limit: page_size, offset: (page - 1) * page_size }
    const sets = await listSets(db, organizationId, agent.id, range)
    return { sets, total: await countSets(db, organizationId, agent.id) }
  }

  /** How many cases these sets have. */
  countCases(caller: Caller, sets: EvaluationSetRecord[]): Promise<Map<string, number>> {
    const ids = sets.map(({ id }) => id)
    return countCases(this.#options.db, caller.organizationId, ids)
  }

  /** Cases of a set that the caller may see: those that expect no file which the caller may not read. */
  async listCases(caller: Caller, path: SetPath): Promise<CaseRecord[]> {
    const set = await this.get(caller, path)
    const cases = await listCases(this.#options.db, caller.organizationId, set.id)
    return this.#visible(this.#options.db, caller, cases)
  }

  /** Titles of the files that these cases expect, as far as the caller may read them and they are indexed. */
  async titlesOf(caller: Caller, cases: CaseRecord[]): Promise<Map<string, string>> {
    const ids = new Set(cases.flatMap(({ expectedFiles }) => expectedFiles.map(({ id }) => id)))
    return findTitles(this.#options.db, caller, [...ids])
  }

  /** @throws ValidationError, ForbiddenError, AgentNotFoundError, EvaluationLimitError */
  async create(caller: Caller, agentId: string, sent: CreateSet): Promise<EvaluationSetRecord> {
    const { writes, clock, newId, agents } = this.#options
    const { organizationId } = caller
    const agent = await agents.getOwn(caller, agentId)
    await this.#checkJudge(agent, sent.judge_model)
    const cases = await this.#read(caller, agent.knowledgeBaseIds, sent.cases, 'manual', inBody)
    const at = isoNow(clock)
    const set: EvaluationSetRecord = {
      id: newId(),
      workspaceId: agent.workspaceId,
      agentId: agent.id,
      name: sent.name,
      judgeModel: sent.judge_model,
      ...this.#nights(sent.schedule),
      createdAt: at,
      updatedAt: at,
    }
    await commitChecked(writes, async (tx) => {
      if ((await countSets(tx, organizationId, agent.id)) >= MOST_SETS)
        throw new EvaluationLimitError(`An agent has at most ${MOST_SETS} question sets`)
      await insertSet(tx, organizationId, set)
      await this.#setSchedule(tx, caller, set)
      await insertCases(tx, organizationId, set.id, this.#toRecords(cases, at))
      await this.#record(tx, caller, 'created', set, { cases: cases.length })
    })
    return set
  }

  /** @throws ValidationError, ForbiddenError, EvaluationSetNotFoundError */
  async update(caller: Caller, path: SetPath, { name, judge_model: judgeModel, schedule }: UpdateSet) {
    const { agents, clock } = this.#options
    const agent = await agents.getOwn(caller, path.agent_id)
    await this.#checkJudge(agent, judgeModel ?? null)
    return this.#change(caller, path, async (tx, set) => {
      const at = isoNow(clock)
      await updateSet(tx, caller.organizationId, set.id, { name, judgeModel }, at)
      const nights = schedule === undefined ? {} : this.#nights(schedule)
      if (schedule !== undefined) await this.#setSchedule(tx, caller, { ...set, ...nights })
      const changed = [
        ...(name === undefined ? [] : ['name']),
        ...(judgeModel === undefined ? [] : ['judge_model']),
        ...(schedule === undefined ? [] : ['schedule']),
      ]
      await this.#record(tx, caller, 'updated', set, { changed })
      return {
        ...set,
        ...nights,
        name: name ?? set.name,
        judgeModel: judgeModel === undefined ? set.judgeModel : judgeModel,
        updatedAt: at,
      }
    })
  }

  #nights(sent: ScheduleFields): Pick<EvaluationSetRecord, 'schedule' | 'nextRunAt' | 'scheduleProblem'> {
    const schedule = sent && toSchedule(sent)
    const nextRunAt = schedule && nextNight(schedule, this.#options.clock()).toISOString()
    return { schedule, nextRunAt, scheduleProblem: null }
  }

  /** Runs by schedule have the rights of the person who set it last. */
  #setSchedule(tx: Tx, { organizationId, keyId }: Caller, { id, schedule, nextRunAt: nextAt }: EvaluationSetRecord) {
    return setSchedule(tx, organizationId, id, schedule && nextAt ? { schedule, nextAt, keyId } : null)
  }

  /** Deletes a set, with its runs. @throws ForbiddenError, EvaluationSetNotFoundError */
  async remove(caller: Caller, path: SetPath): Promise<void> {
    await this.#change(caller, path, async (tx, set) => {
      await deleteSet(tx, caller.organizationId, set.id)
      await this.#record(tx, caller, 'deleted', set)
    })
  }

  /** Removes the sets of a deleted agent. */
  async removeOf(organizationId: string, agentId: string): Promise<void> {
    await this.#options.writes.commit((tx) => deleteSetsOf(tx, organizationId, agentId))
  }

  /**
   * Adds cases to a set, all or none; questions that it has already are left out.
   * @throws ValidationError with the line of a table, ForbiddenError, EvaluationSetNotFoundError, EvaluationLimitError,
   * ModelError
   */
  async addCases(caller: Caller, path: SetPath, sent: AddCases, signal: AbortSignal) {
    const { agents } = this.#options
    const agent = await agents.getOwn(caller, path.agent_id)
    await this.get(caller, path)
    const { knowledgeBaseIds } = agent
    if (sent.from === 'cases')
      return this.#add(caller, path, await this.#read(caller, knowledgeBaseIds, sent.cases, 'manual', inBody))
    if (sent.from === 'csv') {
      const { cases, lines } = await readCsv(sent.csv)
      const inTable = (index: number) => ({ path: 'csv', before: `line ${lines[index]}: ` })
      return this.#add(caller, path, await this.#read(caller, knowledgeBaseIds, cases, 'csv', inTable))
    }
    if (sent.from === 'rated_messages')
      return this.#add(caller, path, await this.#options.ofRatings(caller, agent, sent))
    return this.#add(caller, path, await this.#options.ofDocuments(caller, agent, sent, signal))
  }

  /** Changes a case; what is left out stays. @throws EvaluationCaseNotFoundError and what `addCases` throws */
  async updateCase(caller: Caller, path: CasePath, sent: UpdateCase): Promise<CaseRecord> {
    const { agents, clock } = this.#options
    const agent = await agents.getOwn(caller, path.agent_id)
    const { expected_files } = sent
    const refuse = (index: number, problem: string) => invalidField(`expected_files.${index}`, problem)
    const expectedFiles =
      expected_files &&
      (await findExpectedFiles(this.#options.db, caller, agent.knowledgeBaseIds, expected_files, refuse))
    return this.#change(caller, path, async (tx, set) => {
      const before = await this.#getCase(tx, caller, set, path.evaluation_case_id)
      const changed: CaseRecord = {
        ...before,
        question: sent.question ?? before.question,
        expectedAnswers: sent.expected_answers ?? before.expectedAnswers,
        referenceAnswer: sent.reference_answer === undefined ? before.referenceAnswer : sent.reference_answer,
        expectedFiles: expectedFiles ?? before.expectedFiles,
        tags: sent.tags ?? before.tags,
        isAnswerable: sent.answerable ?? before.isAnswerable,
        updatedAt: isoNow(clock),
      }
      if (!changed.isAnswerable && changed.expectedAnswers.length > 0)
        throw invalidField('expected_answers', 'must be empty where answerable is false')
      await updateCase(tx, caller.organizationId, changed)
      await this.#record(tx, caller, 'updated', set, { changed: ['cases'] })
      return changed
    })
  }

  /** @throws EvaluationCaseNotFoundError, ForbiddenError, EvaluationSetNotFoundError */
  async removeCase(caller: Caller, path: CasePath): Promise<void> {
    await this.#change(caller, path, async (tx, set) => {
      const one = await this.#getCase(tx, caller, set, path.evaluation_case_id)
      await deleteCase(tx, caller.organizationId, one.id)
      await this.#record(tx, caller, 'updated', set, { changed: ['cases'] })
    })
  }

  async #add(caller: Caller, path: SetPath, cases: NewCase[]): Promise<{ added: number; left_out: number }> {
    const { organizationId } = caller
    return this.#change(caller, path, async (tx, set) => {
      const before = await listCases(tx, organizationId, set.id)
      const asked = new Set(before.map(({ question }) => question))
      const fresh = cases.filter(({ question }) => !asked.has(question) && asked.add(question))
      if (before.length + fresh.length > MOST_CASES)
        throw new EvaluationLimitError(
          `A question set has at most ${MOST_CASES} cases: this one has ${before.length}, and ${fresh.length} would come`,
        )
      await insertCases(tx, organizationId, set.id, this.#toRecords(fresh, isoNow(this.#options.clock)))
      if (fresh.length > 0) await this.#record(tx, caller, 'updated', set, { cases_added: fresh.length })
      return { added: fresh.length, left_out: cases.length - fresh.length }
    })
  }

  /** Finds the files of cases that were sent. @param at where a case is in the request, as an error names it */
  async #read(
    caller: Caller,
    folderIds: string[],
    sent: CreateCase[],
    source: NewCase['source'],
    at: (index: number, file: number) => { path: string; before?: string },
  ): Promise<NewCase[]> {
    const cases: NewCase[] = []
    for (const [index, one] of sent.entries()) {
      const refuse = (file: number, problem: string) => {
        const { path, before = '' } = at(index, file)
        return invalidField(path, `${before}${problem}`)
      }
      cases.push({
        question: one.question,
        expectedAnswers: one.expected_answers,
        referenceAnswer: one.reference_answer,
        expectedFiles: await findExpectedFiles(this.#options.db, caller, folderIds, one.expected_files, refuse),
        tags: [...new Set(one.tags)],
        isAnswerable: one.answerable,
        source,
        messageId: null,
      })
    }
    return cases
  }

  #toRecords(cases: NewCase[], at: string): CaseRecord[] {
    return cases.map((one) => ({ ...one, id: this.#options.newId(), createdAt: at, updatedAt: at }))
  }

  async #getCase(db: Db, caller: Caller, set: EvaluationSetRecord, id: string): Promise<CaseRecord> {
    const one = await findCase(db, caller.organizationId, set.id, id)
    const [visible] = one ? await this.#visible(db, caller, [one]) : []
    if (!visible) throw new EvaluationCaseNotFoundError()
    return visible
  }

  async #visible(db: Db, caller: Caller, cases: CaseRecord[]): Promise<CaseRecord[]> {
    const files = cases.flatMap(({ expectedFiles }) => expectedFiles)
    const stateOf = await statesOf(db, caller, files)
    return cases.filter(({ expectedFiles }) => expectedFiles.every((file) => stateOf(file) !== 'hidden'))
  }

  /** @throws ValidationError */
  async #checkJudge(agent: Parameters<Models['of']>[0], model: string | null): Promise<void> {
    if (model === null) return
    const set = await this.#options.models.of(agent)
    const problem = set.problemWith(model)
    if (problem) throw invalidField('judge_model', problem)
    if (set.resolve(model).onlyQuotes) throw invalidField('judge_model', 'must be a model that writes texts of its own')
  }

  async #change<R>(caller: Caller, path: SetPath, write: (tx: Tx, set: EvaluationSetRecord) => Promise<R>): Promise<R> {
    const agent = await this.#options.agents.getOwn(caller, path.agent_id)
    return commitChecked(this.#options.writes, async (tx) => {
      const set = await holdSet(tx, caller.organizationId, agent.id, path.evaluation_set_id)
      if (!set) throw new EvaluationSetNotFoundError()
      return write(tx, set)
    })
  }

  #record(
    tx: Tx,
    caller: Caller,
    change: 'created' | 'updated' | 'deleted',
    { id, name, agentId, workspaceId }: EvaluationSetRecord,
    details: object = {},
  ): Promise<void> {
    return recordAudit(tx, caller, {
      action: `evaluation_set.${change}`,
      at: isoNow(this.#options.clock),
      target: { type: 'evaluation_set', id, name },
      details: { agent_id: agentId, ...details },
      workspaceId,
    })
  }
}
