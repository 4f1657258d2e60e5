import type { EvaluationSet } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { wholeDocent } from '../../access/access.ts'
import { CheckField, Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { refreshEvaluation } from '../evaluation.queries.ts'
import { measureName } from '../measure-names.ts'

type Measure = NonNullable<EvaluationSet['schedule']>['alerts'][number]['measure']

const MEASURES: Measure[] = [
  'recall_at_5',
  'recall_at_10',
  'ndcg_at_10',
  'quoted',
  'cited_expected',
  'declined_right',
  'declined_wrong',
  'judge_score',
]

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Share as it is typed, in percent. */
const inPercent = (share: number | null | undefined) => (share == null ? '' : String(Math.round(share * 1000) / 10))
const toShare = (percent: string) => (percent.trim() === '' ? null : Number(percent) / 100)

/** Form for the hour at which a set runs every night, and for what counts as worse. */
export default function ScheduleDialog({ set, onClose }: { set: EvaluationSet; onClose: () => void }) {
  const { schedule } = set
  const [isOn, setOn] = useState(schedule !== null)
  const [hour, setHour] = useState(schedule?.hour ?? 3)
  const [zone, setZone] = useState(schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone)
  const [bounds, setBounds] = useState(
    () =>
      new Map(
        MEASURES.map((measure) => {
          const alert = schedule?.alerts.find((one) => one.measure === measure)
          return [measure, { limit: inPercent(alert?.limit), drop: inPercent(alert?.drop) }]
        }),
      ),
  )
  const save = useMutation({
    mutationFn: () => {
      const alerts = [...bounds].flatMap(([measure, { limit, drop }]) =>
        limit || drop ? [{ measure, limit: toShare(limit), drop: toShare(drop) }] : [],
      )
      const planned = isOn ? { hour, time_zone: zone, alerts } : null
      return wholeDocent().evaluation.sets.update(set.agent_id, set.id, { schedule: planned })
    },
    onSuccess: async () => {
      await refreshEvaluation(set.agent_id)
      onClose()
    },
  })
  const change = (measure: Measure, fields: { limit?: string; drop?: string }) =>
    setBounds((all) => new Map(all).set(measure, { ...all.get(measure)!, ...fields }))
  return (
    <FormDialog
      title={t`Nightly run`}
      width="wide"
      saving={save}
      save={t`Save`}
      onSave={() => save.mutate()}
      onClose={onClose}
    >
      <CheckField
        label={t`Run every night`}
        hint={t`With your rights and quotas.`}
        checked={isOn}
        onChange={({ target }) => setOn(target.checked)}
      />
      {isOn && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={t`Hour`}>
              {(control) => (
                <Select {...control} value={hour} onChange={({ target }) => setHour(Number(target.value))}>
                  {HOURS.map((one) => (
                    <option key={one} value={one}>{`${String(one).padStart(2, '0')}:00`}</option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label={t`Time zone`}>
              {(control) => <Input {...control} value={zone} onChange={({ target }) => setZone(target.value)} />}
            </Field>
          </div>
          <table className="w-full text-sm">
            <caption className="pb-2 text-start text-muted">
              <Trans>Webhooks that chose this event are notified when a measure crosses its limit.</Trans>
            </caption>
            <thead>
              <tr>
                <th className="text-start font-medium">{t`Measure`}</th>
                <th className="text-start font-medium">{t`Bound, %`}</th>
                <th className="text-start font-medium">{t`Worse by, points`}</th>
              </tr>
            </thead>
            <tbody>
              {[...bounds].map(([measure, { limit, drop }]) => (
                <tr key={measure}>
                  <th scope="row" className="pe-2 text-start font-normal">
                    {measureName(measure)}
                  </th>
                  {(['limit', 'drop'] as const).map((field) => (
                    <td key={field} className="py-1 pe-2">
                      <Input
                        type="number"
                        min={0}
                        max={100}
                        step="any"
                        aria-label={`${measureName(measure)}: ${field === 'limit' ? t`Bound, %` : t`Worse by, points`}`}
                        value={field === 'limit' ? limit : drop}
                        onChange={({ target }) => change(measure, { [field]: target.value })}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </FormDialog>
  )
}
