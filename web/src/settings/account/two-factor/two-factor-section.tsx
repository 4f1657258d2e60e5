import type { Account } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { Time } from '../../../ui/data/time.tsx'
import { SettingSection } from '../../setting-section.tsx'
import { ProofDialog } from '../proof-dialog.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { removeTwoFactor, renewRecoveryCodes } from './two-factor.queries.ts'
import { TwoFactorDialog } from './two-factor-dialog.tsx'

/** Second factor of the account: set up, turned off, and its recovery codes. */
export function TwoFactorSection({ account: { two_factor: factor } }: { account: Account }) {
  const [open, setOpen] = useState<'set-up' | 'remove' | 'renew' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const close = () => setOpen(null)
  return (
    <SettingSection
      title={t`Second factor`}
      about={t`Signing in with the password then also asks for a code of an authenticator app on your phone.`}
      actions={
        factor ? (
          <>
            <Button onClick={() => setOpen('renew')}>
              <Trans>New recovery codes</Trans>
            </Button>
            <Button onClick={() => setOpen('remove')}>
              <Trans>Turn off</Trans>
            </Button>
          </>
        ) : (
          <Button onClick={() => setOpen('set-up')}>
            <Trans>Set up</Trans>
          </Button>
        )
      }
    >
      {factor && (
        <p className="text-pretty">
          <Trans>On since</Trans> <Time iso={factor.confirmed_at} />
          <Trans>
            , with{' '}
            {factor.recovery_codes_left === 1 ? t`one recovery code` : t`${factor.recovery_codes_left} recovery codes`}{' '}
            left.
          </Trans>
        </p>
      )}
      {open === 'set-up' && <TwoFactorDialog onConfirmed={setCodes} onClose={close} />}
      {open === 'renew' && (
        <ProofDialog
          title={t`Make new recovery codes?`}
          about={t`The ones that you saved until now end.`}
          save={t`Make new ones`}
          onProof={async (proof) => setCodes(await renewRecoveryCodes(proof))}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <ProofDialog
          title={t`Turn the second factor off?`}
          about={t`Anybody who knows your password can then sign in as you.`}
          save={t`Turn off`}
          onProof={removeTwoFactor}
          onClose={close}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </SettingSection>
  )
}
