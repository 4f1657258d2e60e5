/** The values of a metric's labels, in the order in which it names them. */
type Labels = readonly string[]

export interface Sample {
  labels: Labels
  value: number
}

export interface MetricOptions {
  name: string
  help: string
  labels?: readonly string[]
  /** Combinations of label values that are counted separately; all later ones count together as `other`. Default 1,000. */
  mostSeries?: number
}

/** Counts by one, or by more. */
export type Count = (labels: Labels, by?: number) => void
/** Puts a value into its bucket. */
export type Observe = (labels: Labels, value: number) => void

/** Numbers about the process, for Prometheus: small, and without a cost for those that nobody reads. */
export interface Metrics {
  /** A number that only grows; its name ends in `_total`. */
  counter(options: MetricOptions): Count
  /** How values spread. @param buckets upper bounds, growing */
  histogram(options: MetricOptions & { buckets: readonly number[] }): Observe
  /** A number as it is when it is read. One that cannot be read is left out. */
  gauge(options: MetricOptions & { type?: 'gauge' | 'counter'; read(): Sample[] | Promise<Sample[]> }): void
  /** All of them in Prometheus' text format 0.0.4. */
  expose(): Promise<string>
}

export const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300] as const

const SEPARATOR = '\u0000'

export function createMetrics(): Metrics {
  const families: { name: string; expose(): Promise<string> | string }[] = []
  const add = ({ name, help }: MetricOptions, type: string, lines: () => Promise<string[]> | string[]): void => {
    const head = `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n`
    families.push({ name, expose: async () => head + (await lines()).join('') })
  }

  return {
    counter(options) {
      const series = createSeries(options, () => ({ value: 0 }))
      add(options, 'counter', () =>
        series.entries().map(([labels, { value }]) => line(options.name, options.labels, labels, value)),
      )
      return (labels, by = 1) => {
        series.of(labels).value += by
      }
    },

    histogram(options) {
      const { name, buckets } = options
      const series = createSeries(options, () => ({ counts: new Float64Array(buckets.length + 1), sum: 0 }))
      const names = [...(options.labels ?? []), 'le']
      add(options, 'histogram', () =>
        series.entries().flatMap(([labels, { counts, sum }]) => {
          let below = 0
          const cumulated = [...buckets, '+Inf'].map((bound, i) => {
            below += counts[i]!
            return line(`${name}_bucket`, names, [...labels, String(bound)], below)
          })
          return [
            ...cumulated,
            line(`${name}_sum`, options.labels, labels, sum),
            line(`${name}_count`, options.labels, labels, below),
          ]
        }),
      )
      return (labels, value) => {
        const one = series.of(labels)
        const bucket = buckets.findIndex((bound) => value <= bound)
        one.counts[bucket === -1 ? buckets.length : bucket]! += 1
        one.sum += value
      }
    },

    gauge(options) {
      add(options, options.type ?? 'gauge', async () => {
        const samples = await new Promise<Sample[]>((resolve) => resolve(options.read())).catch(() => [])
        return samples.map(({ labels, value }) => line(options.name, options.labels, labels, value))
      })
    },

    async expose() {
      const texts: string[] = []
      for (const family of families) texts.push(await family.expose())
      return texts.join('')
    },
  }
}

/** Values of a metric by its combinations of labels, up to a number of them. */
function createSeries<T>({ labels = [], mostSeries = 1_000 }: MetricOptions, create: () => T) {
  const known = new Map<string, { labels: Labels; state: T }>()
  const enter = (values: Labels, key: string): T => {
    const state = create()
    known.set(key, { labels: [...values], state })
    return state
  }
  // One without labels is there from the begin, as Prometheus would have it.
  if (labels.length === 0) enter([], '')
  return {
    of(values: Labels): T {
      const key = values.join(SEPARATOR)
      const found = known.get(key)
      if (found) return found.state
      if (known.size < mostSeries) return enter(values, key)
      const other = labels.map(() => 'other')
      return known.get(other.join(SEPARATOR))?.state ?? enter(other, other.join(SEPARATOR))
    },
    entries: () => [...known.values()].map(({ labels, state }) => [labels, state] as const),
  }
}

function line(name: string, labelNames: Labels = [], values: Labels, value: number): string {
  const pairs = labelNames.map((label, i) => `${label}="${escaped(values[i] ?? '')}"`)
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}\n`
}

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
