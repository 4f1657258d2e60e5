import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { CopyBox } from '../../ui/controls/copy-button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FIXES } from './proxy-fixes.ts'
import { PROXIES, type ProxyName } from './stream-verdict.ts'

/** Instructions for the proxy that buffers the stream. @param guess the proxy according to its headers */
export function ProxyFix({ guess }: { guess: ProxyName | null }) {
  const [proxy, setProxy] = useState<ProxyName>(guess ?? 'nginx')
  const { about, config } = FIXES[proxy]
  return (
    <section aria-label={t`How to fix it`} className="mt-6 space-y-4">
      <Field
        label={t`Which proxy is in between?`}
        hint={
          guess
            ? t`The answer says that it came through ${guess}.`
            : t`The response does not say. Ask the person who set it up.`
        }
      >
        {(control) => (
          <Select
            {...control}
            className="max-w-60"
            value={proxy}
            onChange={({ target }) => setProxy(target.value as ProxyName)}
          >
            {PROXIES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
        )}
      </Field>
      <p className="max-w-[70ch] text-pretty">{about}</p>
      {config && <CopyBox label={t`Configuration for ${proxy}`} text={config} />}
      <p className="text-sm text-muted">
        <Trans>Put your own addresses in, load the configuration, and test again.</Trans>
      </p>
    </section>
  )
}
