import { type Answered, Call } from './call.ts'

/** Items of a page: those of its fields that are lists. */
export type ItemOf<Page> = { [K in keyof Page]: Page[K] extends readonly (infer Item)[] ? Item : never }[keyof Page]

/**
 * A list on its way. To await it gives one page as the server sent it; `for await` gives the items of this page and of
 * all later ones, which are asked for as they are needed.
 */
export class ListCall<Page> extends Call<Page> implements AsyncIterable<ItemOf<Page>> {
  readonly #open: (page: number) => Promise<Answered<Page>>
  readonly #first: number | undefined

  /** @param first number of the page, where the caller gave one */
  constructor(
    answered: Promise<Answered<Page>>,
    open: (page: number) => Promise<Answered<Page>>,
    first: number | undefined,
  ) {
    super(answered)
    this.#open = open
    this.#first = first
  }

  /** Each item once, also if it moves to a later page meanwhile. */
  async *[Symbol.asyncIterator](): AsyncGenerator<ItemOf<Page>, void> {
    const seen = new Set<string>()
    for await (const page of this.pages())
      for (const item of itemsOf<Page>(page as Page)) {
        const { _id, id = _id } = item as { _id?: string; id?: string }
        if (id !== undefined) {
          if (seen.has(id)) continue
          seen.add(id)
        }
        yield item
      }
  }

  /** This page and all later ones. */
  async *pages(): AsyncGenerator<Page> {
    let { data: page } = await this.withResponse()
    const paging = page as Paging
    let number = paging.page ?? paging.pagination?.page ?? this.#first ?? 0
    for (let seen = 0; ; page = (await this.#open(++number)).data) {
      const { length } = itemsOf(page)
      if (length === 0 && seen > 0) return
      yield page
      seen += length
      if (length === 0 || !hasMore(page as Paging, seen)) return
    }
  }
}

/** Ways in which pages tell where they are. */
interface Paging {
  page?: number
  has_more?: boolean
  pagination?: { page: number; total_count: number }
  data_sources_count?: { total: number }
}

const hasMore = ({ has_more, pagination, data_sources_count }: Paging, seen: number): boolean =>
  has_more ?? seen < (pagination?.total_count ?? data_sources_count?.total ?? 0)

const itemsOf = <Page>(page: Page): ItemOf<Page>[] =>
  Object.values(page as object)
    .filter(Array.isArray)
    .flat()
