import type { Caller } from '../access/access.ts'
import type { Tx } from '../db.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { invalidField } from '../platform/errors.ts'
import { findVirtualUser } from '../users/users.ts'
import { addDays, countDays, dayOf, daysBetween } from './days.ts'
import type { PriceTable } from './prices/prices.ts'
import type { QuotaService } from './quotas/quotas.service.ts'
import {
  addMessage,
  type MessageUsage,
  type PlainUsage,
  type PricedUsage,
  priced,
  pricedSpeech,
  type SpeechUsage,
} from './usage.record.ts'
import type { GroupBy, UsageQuery } from './usage.schemas.ts'
import { type Amounts, deleteSumsOf, moveSums, type SumKey } from './usage.store.ts'
import { createSums, isNothing, nothing, type Sums, totalOf, without } from './usage.sums.ts'

const DEFAULT_DAYS = 30
const MOST_DAYS = 366
/** Ids whose names are asked for at once. */
const NAMES_AT_ONCE = 500

export type UsageService = ReturnType<typeof createUsageService>

type NamesOf<T> = (organizationId: string, ids: string[]) => Promise<Map<string, T>>

export interface UsageServiceOptions extends Pick<KernelParts, 'clock' | 'db'> {
  prices: () => PriceTable
  quotas: QuotaService
  names: {
    agents: NamesOf<string>
    keys: NamesOf<string>
    users: NamesOf<{ email: string; name: string | null }>
  }
}

/** One line of a report: the amounts of a day, an agent, a person, a key or a model. */
export interface Group {
  /** Null: of no virtual user, or of no known key. */
  key: string | null
  name?: string | null
  email?: string | null
  amounts: Amounts
}

export interface Report {
  from: string
  to: string
  /** Groups that were asked for. */
  groups: Group[]
  /** How many there are in all. */
  count: number
  total: Amounts
}

const KEYS = {
  day: 'period',
  agent: 'agent_id',
  virtual_user: 'virtual_user_id',
  api_key: 'api_key_id',
  model: 'model',
} as const satisfies Record<GroupBy, SumKey>

/** Groups under the names of their agents, keys or people. */
async function withNames(
  names: UsageServiceOptions['names'],
  organizationId: string,
  by: GroupBy,
  groups: Group[],
): Promise<Group[]> {
  if (by === 'day' || by === 'model') return groups
  const named: Group[] = []
  for (let start = 0; start < groups.length; start += NAMES_AT_ONCE) {
    const some = groups.slice(start, start + NAMES_AT_ONCE)
    const ids = some.flatMap(({ key }) => (key === null ? [] : [key]))
    if (by === 'virtual_user') {
      const known = await names.users(organizationId, ids)
      named.push(...some.map((group) => ({ ...group, email: null, name: null, ...known.get(group.key ?? '') })))
      continue
    }
    const known = await names[by === 'agent' ? 'agents' : 'keys'](organizationId, ids)
    named.push(...some.map((group) => ({ ...group, name: known.get(group.key ?? '') ?? null })))
  }
  return named
}

/** Usage and cost of messages, summed up as they are answered. */
export function createUsageService({ db, clock, prices, quotas, names }: UsageServiceOptions) {
  /** @throws ValidationError */
  function rangeOf({ from, to = dayOf(isoNow(clock)) }: UsageQuery): { from: string; to: string } {
    const start = from ?? addDays(to, 1 - DEFAULT_DAYS)
    const days = countDays(start, to)
    const message =
      days < 1 ? `must not be after to (${to})` : days > MOST_DAYS ? `must be at most ${MOST_DAYS} days before to` : ''
    if (message) throw invalidField('from', message)
    return { from: start, to }
  }

  /** Filter of a request, or undefined where it names a virtual user that there is not. */
  async function toFilter({ organizationId, workspaceId }: Caller, query: UsageQuery) {
    const { agent_id, api_key_id, model, virtual_user_email: email } = query
    const virtual_user_id = email && (await findVirtualUser(db, organizationId, workspaceId, email))
    if (email && virtual_user_id === undefined) return undefined
    const all = { agent_id, api_key_id, model, virtual_user_id }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<
      Record<keyof typeof all, string>
    >
  }

  return {
    /** Usage of a message with its cost, by the prices of now. */
    price: (used: MessageUsage): PricedUsage => priced(used, prices()),

    /** Amounts to add for a message that adds to one sum and to no quota; else undefined. */
    async plain(
      organizationId: string,
      { parts, virtualUserId, keyId, workspaceId, agentId, model, at }: PricedUsage,
    ): Promise<PlainUsage | undefined> {
      if (parts.length > 1 || virtualUserId !== null) return undefined
      if (await quotas.hold(organizationId, workspaceId)) return undefined
      return { workspaceId, agentId, model, keyId, day: dayOf(at) }
    },

    /** Adds what a message used to the sums and the quotas: once, in the transaction that completes it. */
    async record(tx: Tx, organizationId: string, used: PricedUsage): Promise<void> {
      await addMessage(tx, organizationId, used)
      await quotas.settle(tx, organizationId, used)
    },

    /** Adds sound that was transcribed to the sums and the quotas. */
    async recordSpeech(tx: Tx, organizationId: string, speech: SpeechUsage): Promise<void> {
      const used = pricedSpeech(speech, prices())
      await addMessage(tx, organizationId, used)
      await quotas.settle(tx, organizationId, used)
    },

    /** Adds what a virtual user used to what another one used; quotas of the first are removed. */
    async movePerson(tx: Tx, organizationId: string, fromId: string, toId: string): Promise<void> {
      await moveSums(tx, organizationId, fromId, toId)
      await quotas.movePerson(tx, organizationId, fromId, toId)
    },

    /** Takes a virtual user out of the sums: what they used remains among what nobody in particular used. */
    async forgetPerson(tx: Tx, organizationId: string, virtualUserId: string): Promise<void> {
      await deleteSumsOf(tx, organizationId, virtualUserId)
      await quotas.forgetPerson(tx, organizationId, virtualUserId)
    },

    prices: () => prices().prices,

    /** Price by which the costs of a model are counted; undefined where none is known. */
    priceOf: (model: string) => prices().priceOf(model),

    /**
     * Usage of the workspace in a range of days, by day in their order, else the most expensive first.
     * @param page the groups that get their names; without one all
     * @throws ValidationError
     */
    async report(caller: Caller, query: UsageQuery, page?: { limit: number; offset: number }): Promise<Report> {
      const { organizationId, workspaceId } = caller
      const { group_by: by } = query
      const { from, to } = rangeOf(query)
      const of = await toFilter(caller, query)
      const sums = createSums(db, organizationId, workspaceId)
      let found: Sums = new Map()
      let ofNobody: Amounts | undefined
      if (of && by === 'virtual_user' && of.virtual_user_id === undefined) {
        found = await sums.ofPeople(from, to, of, dayOf(isoNow(clock)))
        const everything = totalOf((await sums.ofDays(from, to, 'period', of)).values())
        ofNobody = without(everything, totalOf(found.values()))
      } else if (of) found = await sums.ofDays(from, to, KEYS[by], of)
      const groups = by === 'day' ? everyDay(from, to, found) : mostFirst(found, ofNobody)
      const { offset, limit } = page ?? { offset: 0, limit: groups.length }
      const shown = await withNames(names, organizationId, by, groups.slice(offset, offset + limit))
      return { from, to, groups: shown, count: groups.length, total: totalOf(groups.map(({ amounts }) => amounts)) }
    },
  }
}

const everyDay = (from: string, to: string, sums: Sums): Group[] =>
  daysBetween(from, to).map((day) => ({ key: day, amounts: sums.get(day) ?? nothing() }))

function mostFirst(sums: Sums, ofNobody: Amounts | undefined): Group[] {
  const groups: Group[] = [...sums].map(([key, amounts]) => ({ key: key || null, amounts }))
  if (ofNobody && !isNothing(ofNobody)) groups.push({ key: null, amounts: ofNobody })
  return groups.sort(
    (a, b) =>
      b.amounts.cost_micros - a.amounts.cost_micros ||
      tokensOf(b.amounts) - tokensOf(a.amounts) ||
      b.amounts.messages - a.amounts.messages ||
      ((a.key ?? '') < (b.key ?? '') ? -1 : 1),
  )
}

const tokensOf = (amounts: Amounts): number => amounts.input_tokens + amounts.output_tokens
