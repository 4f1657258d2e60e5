import { z } from 'zod'
import { TOTALS } from '../measures/totals.ts'
import { isTimeZone, type Schedule } from './schedule.ts'

const Share = z.number().min(0, 'must be a share from 0 to 1').max(1, 'must be a share from 0 to 1').nullable()

const AlertFields = z
  .strictObject({
    measure: z.enum(TOTALS),
    limit: Share.default(null).meta({
      description: 'Share that it must not be worse than: below it, or of declined_wrong above it',
    }),
    drop: Share.default(null).meta({
      description: 'How much worse than in the run before it may be: 0.05 for 5 points',
    }),
  })
  .refine(({ limit, drop }) => limit !== null || drop !== null, { message: 'needs limit or drop', path: ['limit'] })
  .meta({ id: 'EvaluationAlert', description: 'When a run by schedule counts as regressed' })

export const ScheduleFields = z
  .strictObject({
    hour: z.number().int().min(0).max(23),
    time_zone: z
      .string()
      .max(64)
      .refine(isTimeZone, 'must name a time zone, such as Europe/Berlin or UTC')
      .default('UTC'),
    alerts: z.array(AlertFields).max(TOTALS.length, 'must name each measure once').default([]),
  })
  .refine(({ alerts }) => new Set(alerts.map(({ measure }) => measure)).size === alerts.length, {
    message: 'must name each measure once',
    path: ['alerts'],
  })
  .nullable()
  .meta({ description: 'Every night a run begins at this hour, with your rights; null: none does' })
export type ScheduleFields = z.infer<typeof ScheduleFields>

export const ScheduleShown = z
  .object({
    hour: z.number().int(),
    time_zone: z.string(),
    alerts: z.array(z.object({ measure: z.enum(TOTALS), limit: Share, drop: Share })),
  })
  .nullable()
  .meta({ description: 'When a run begins every night, and what is told then; null: none does' })

export const toSchedule = (sent: NonNullable<ScheduleFields>): Schedule => ({
  hour: sent.hour,
  timeZone: sent.time_zone,
  alerts: sent.alerts,
})

export const toWireSchedule = (schedule: Schedule | null) =>
  schedule && { hour: schedule.hour, time_zone: schedule.timeZone, alerts: schedule.alerts }
