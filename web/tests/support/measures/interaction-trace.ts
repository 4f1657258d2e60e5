import type { Browser, Page } from 'playwright-core'

/** Key or click: when it was pressed, and how long the page took, both in milliseconds. */
export interface Interaction {
  type: string
  /** Time until the next frame, as the browser reports it: in steps of 8 ms, and longer under other load. */
  shownMs: number
  /** Work of the page itself in that time: script, style, layout and painting on its main thread. */
  workMs: number
  /** Longest part of that work, by the browser's own names. */
  most: string
}

interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Microseconds. */
  ts: number
  dur?: number
  /** Microseconds of processor time. */
  tdur?: number
  args?: { data?: { interactionId?: number; type?: string; duration?: number } }
}

const CATEGORIES = ['devtools.timeline', 'toplevel', 'disabled-by-default-devtools.timeline']
const TOLD =
  /^(FunctionCall|EventDispatch|UpdateLayoutTree|Layout|PrePaint|Paint|Layerize|Commit|RunMicrotasks|MajorGC|MinorGC|TimerFire|FireAnimationFrame)$/

/** Runs an action. @returns the cost of each key and click, and of the longest task of the page's main thread all the while */
export async function traceInteractions(
  browser: Browser,
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ interactions: Interaction[]; longestTaskMs: number }> {
  await browser.startTracing(page, { categories: CATEGORIES })
  await act()
  await page.waitForTimeout(500)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const begun = traceEvents.filter(
    ({ name, ph, args }) => name === 'EventTiming' && ph === 'b' && args?.data?.interactionId,
  )
  const threads = new Set(begun.map(threadOf))
  const tasks = traceEvents.filter((event) => isTask(event) && threads.has(threadOf(event)))
  return {
    interactions: begun.map((event) => measureCost(event, traceEvents)),
    longestTaskMs: Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur)) / 1_000,
  }
}

const isTask = ({ name, ph }: TraceEvent) => ph === 'X' && name === 'ThreadControllerImpl::RunTask'
const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`

function measureCost(event: TraceEvent, all: TraceEvent[]): Interaction {
  const { type = '', duration = 0 } = event.args!.data!
  const [start, end] = [event.ts, event.ts + duration * 1_000]
  const within = all.filter(
    ({ ph, pid, tid, ts, dur = 0 }) =>
      ph === 'X' && pid === event.pid && tid === event.tid && ts + dur > start && ts < end,
  )
  const sum = (events: TraceEvent[]) => events.reduce((total, { tdur = 0 }) => total + tdur, 0) / 1_000
  const names = Map.groupBy(
    within.filter(({ name }) => TOLD.test(name)),
    ({ name }) => name,
  )
  const most = [...names]
    .map(([name, events]) => ({ name, ms: sum(events) }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, 4)
  return {
    type,
    shownMs: duration,
    workMs: sum(within.filter(isTask)),
    most: most.map(({ name, ms }) => `${name} ${ms.toFixed(0)}`).join(', '),
  }
}
