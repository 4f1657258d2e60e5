import type { StreamCheckArrival } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { wholeDocent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { formatDuration } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { CircleAlert, CircleCheck, Radio } from '../../ui/icons.ts'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import { SettingSection } from '../setting-section.tsx'
import { ArrivalChart } from './arrival-chart.tsx'
import { ProxyFix } from './proxy-fix.tsx'
import { type Finding, judge, type Verdict } from './stream-verdict.ts'

/** Duration of the ten events before the pause. */
const TICKS_SECONDS = 2
const LENGTHS = [
  { pauseSeconds: 12, name: t`Quick, 14 seconds` },
  { pauseSeconds: 120, name: t`Long, 2 minutes` },
]

/** Test whether streams reach this browser as the server sends them. */
export function StreamingPage() {
  const [pauseSeconds, setPauseSeconds] = useState(LENGTHS[0]!.pauseSeconds)
  const [arrivals, setArrivals] = useState<StreamCheckArrival[]>([])
  const leaving = useRef(new AbortController())
  useEffect(() => {
    leaving.current = new AbortController()
    return () => leaving.current.abort()
  }, [])
  const testing = useMutation({
    mutationFn: async () => {
      setArrivals([])
      const check = await wholeDocent().streamCheck(
        { pause_seconds: pauseSeconds },
        {
          signal: leaving.current.signal,
          // A connection that buffers everything responds late, and must not be aborted for that.
          timeoutMs: (pauseSeconds + TICKS_SECONDS + 30) * 1000,
          onArrival: (arrival) => setArrivals((all) => [...all, arrival]),
        },
      )
      return judge(check)
    },
  })
  return (
    <SettingSection
      title={t`Streaming test`}
      about={t`Answers appear word by word unless something between the server and you delays them. This test sends ten events, a pause and an end, and records when each of them arrives.`}
      actions={
        <>
          <Select
            aria-label={t`How long`}
            value={pauseSeconds}
            disabled={testing.isPending}
            onChange={({ target }) => setPauseSeconds(Number(target.value))}
          >
            {LENGTHS.map((one) => (
              <option key={one.pauseSeconds} value={one.pauseSeconds}>
                {one.name}
              </option>
            ))}
          </Select>
          <Button variant="primary" icon={Radio} isBusy={testing.isPending} onClick={() => testing.mutate()}>
            <Trans>Test</Trans>
          </Button>
        </>
      }
    >
      <div className="space-y-5 rounded-card border border-line p-4 sm:p-5">
        {testing.isPending && <UnderWay seconds={pauseSeconds + TICKS_SECONDS} arrived={arrivals.length} />}
        {testing.isIdle && (
          <p className="text-muted">
            <Trans>Nothing was tested yet.</Trans>
          </p>
        )}
        {testing.data && <Outcome finding={testing.data} />}
        {testing.error && (
          <Outcome finding={{ verdict: 'nothing', worstDelayMs: 0, lastMs: null, proxy: null }}>
            {explain(testing.error)}
          </Outcome>
        )}
        <ArrivalChart arrivals={arrivals} />
      </div>
      {testing.data && testing.data.verdict !== 'good' && (
        <ProxyFix key={testing.submittedAt} guess={testing.data.proxy} />
      )}
      {testing.error && <ProxyFix guess={null} />}
    </SettingSection>
  )
}

/** Progress of the test, which takes a fixed time. */
function UnderWay({ seconds, arrived }: { seconds: number; arrived: number }) {
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    const startedAt = performance.now()
    const timer = setInterval(() => setElapsed((performance.now() - startedAt) / 1000), 250)
    return () => clearInterval(timer)
  }, [])
  return (
    <div>
      <p className="mb-2 text-muted">
        {arrived === 0 ? t`Waiting for the first event` : arrived < 10 ? t`${arrived} of 10 events came` : t`The pause`}
      </p>
      <ProgressBar label={t`Test`} value={Math.min(1, elapsed / seconds)} className="w-full" />
    </div>
  )
}

const WORDS: Record<Verdict, { title: string; text: (finding: Finding) => string }> = {
  good: {
    title: t`Streams arrive as they are sent`,
    text: ({ worstDelayMs }) =>
      t`No event took more than ${formatDuration(worstDelayMs)} longer than the quickest, the pause was survived, and the end came.`,
  },
  'held-back': {
    title: t`Something delays streams`,
    text: ({ worstDelayMs }) =>
      t`Events came up to ${formatDuration(worstDelayMs)} late, in bunches: something in between collects them first. People then see nothing for a while, and much at once.`,
  },
  cut: {
    title: t`Something cuts streams off`,
    text: ({ lastMs }) =>
      t`Events came in time, but the line was cut after ${formatDuration(lastMs ?? 0)}. Answers continue on the server and are picked up again, with a gap that people notice.`,
  },
  'held-back-and-cut': {
    title: t`Something delays streams and cuts them off`,
    text: ({ worstDelayMs }) => t`Events came up to ${formatDuration(worstDelayMs)} late, and the end never came.`,
  },
  nothing: {
    title: t`No event came at all`,
    text: () => t`Something in between gave up before it passed anything on.`,
  },
}

function Outcome({ finding, children }: { finding: Finding; children?: string }) {
  const isGood = finding.verdict === 'good'
  const Icon = isGood ? CircleCheck : CircleAlert
  const { title, text } = WORDS[finding.verdict]
  return (
    <div role="status" className="flex gap-3">
      <Icon size={22} className={isGood ? 'mt-0.5 shrink-0 text-good' : 'mt-0.5 shrink-0 text-bad'} aria-hidden />
      <div>
        <h3 className="text-lg font-semibold">{title}</h3>
        <p className="mt-0.5 text-pretty">
          {text(finding)} {children}
        </p>
      </div>
    </div>
  )
}
