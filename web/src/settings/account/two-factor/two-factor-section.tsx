import type { Account } from '@docent/sdk'
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
      title="Second factor"
      about="Signing in with the password then also asks for a code of an authenticator app on your phone."
      actions={
        factor ? (
          <>
            <Button onClick={() => setOpen('renew')}>New recovery codes</Button>
            <Button onClick={() => setOpen('remove')}>Turn off</Button>
          </>
        ) : (
          <Button onClick={() => setOpen('set-up')}>Set up</Button>
        )
      }
    >
      {factor && (
        <p className="text-pretty">
          On since <Time iso={factor.confirmed_at} />, with{' '}
          {factor.recovery_codes_left === 1 ? 'one recovery code' : `${factor.recovery_codes_left} recovery codes`}{' '}
          left.
        </p>
      )}
      {open === 'set-up' && <TwoFactorDialog onConfirmed={setCodes} onClose={close} />}
      {open === 'renew' && (
        <ProofDialog
          title="Make new recovery codes?"
          about="The ones that you saved until now end."
          save="Make new ones"
          onProof={async (proof) => setCodes(await renewRecoveryCodes(proof))}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <ProofDialog
          title="Turn the second factor off?"
          about="Anybody who knows your password can then sign in as you."
          save="Turn off"
          onProof={removeTwoFactor}
          onClose={close}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </SettingSection>
  )
}
