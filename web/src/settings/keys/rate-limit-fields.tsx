import type { ApiKey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { CheckField } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'

export type RateLimit = NonNullable<ApiKey['rate_limit']>

interface RateLimitFieldsProps {
  limit: RateLimit | null
  onChange: (limit: RateLimit | null) => void
}

/** Rate limit of one key, or none of its own. */
export function RateLimitFields({ limit, onChange }: RateLimitFieldsProps) {
  return (
    <div className="space-y-4">
      <CheckField
        label={t`A rate limit of its own`}
        hint={t`Otherwise it has the one that the server sets for all keys.`}
        checked={limit !== null}
        onChange={({ target }) => onChange(target.checked ? { per_second: 5, burst: 20 } : null)}
      />
      {limit && (
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label={t`Requests a second`}>
            {(control) => (
              <Input
                {...control}
                type="number"
                required
                min={0.01}
                step="any"
                value={limit.per_second}
                onChange={({ target }) => onChange({ ...limit, per_second: Number(target.value) })}
              />
            )}
          </Field>
          <Field label={t`Requests at once`} hint={t`After a pause, before the limit applies.`}>
            {(control) => (
              <Input
                {...control}
                type="number"
                required
                min={1}
                step={1}
                value={limit.burst}
                onChange={({ target }) => onChange({ ...limit, burst: Number(target.value) })}
              />
            )}
          </Field>
        </div>
      )}
    </div>
  )
}
