import { expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

test('counters, histograms and gauges are written as Prometheus reads them', async () => {
  const metrics = createMetrics()
  const count = metrics.counter({ name: 'requests_total', help: 'Requests.', labels: ['method', 'status'] })
  const observe = metrics.histogram({ name: 'seconds', help: 'Time.', labels: ['operation'], buckets: [0.1, 1] })
  metrics.gauge({ name: 'bytes', help: 'Memory.', read: () => [{ labels: [], value: 12 }] })
  count(['GET', '200'])
  count(['GET', '200'])
  count(['POST', '500'], 3)
  for (const value of [0.05, 0.1, 0.5, 7]) observe(['list'], value)
  expect(await metrics.expose()).toBe(
    [
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{method="GET",status="200"} 2',
      'requests_total{method="POST",status="500"} 3',
      '# HELP seconds Time.',
      '# TYPE seconds histogram',
      'seconds_bucket{operation="list",le="0.1"} 2',
      'seconds_bucket{operation="list",le="1"} 3',
      'seconds_bucket{operation="list",le="+Inf"} 4',
      'seconds_sum{operation="list"} 7.65',
      'seconds_count{operation="list"} 4',
      '# HELP bytes Memory.',
      '# TYPE bytes gauge',
      'bytes 12',
      '',
    ].join('\n'),
  )
})

test('what has no labels is there from the begin', async () => {
  const metrics = createMetrics()
  metrics.counter({ name: 'runs_total', help: 'Runs.' })
  expect(await metrics.expose()).toContain('runs_total 0\n')
})

test('label values cannot break out of their line', async () => {
  const metrics = createMetrics()
  metrics.counter({ name: 'a_total', help: 'A\nB', labels: ['model'] })(['x"} 1\nforged{y="\\'])
  expect(await metrics.expose()).toBe(
    '# HELP a_total A\\nB\n# TYPE a_total counter\na_total{model="x\\"} 1\\nforged{y=\\"\\\\"} 1\n',
  )
})

test('the number of series is bounded: what is too much counts together', async () => {
  const metrics = createMetrics()
  const count = metrics.counter({ name: 'a_total', help: 'A.', labels: ['model'], mostSeries: 2 })
  for (let i = 0; i < 1_000; i++) count([`model-${i}`])
  count(['model-0'])
  expect((await metrics.expose()).split('\n').slice(2)).toEqual([
    'a_total{model="model-0"} 2',
    'a_total{model="model-1"} 1',
    'a_total{model="other"} 998',
    '',
  ])
})

test('a gauge that cannot be read takes nothing else away', async () => {
  const metrics = createMetrics()
  metrics.gauge({ name: 'broken', help: 'Broken.', read: () => Promise.reject(new Error('the database is away')) })
  metrics.gauge({
    name: 'thrown',
    help: 'Thrown.',
    read() {
      throw new Error('no')
    },
  })
  metrics.gauge({ name: 'whole', help: 'Whole.', read: () => [{ labels: [], value: 1 }] })
  expect(await metrics.expose()).toContain('whole 1\n')
})
