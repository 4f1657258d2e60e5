import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useMe, wholeDocent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field, inputClass } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { NoPerson } from './consent-page.tsx'
import { DecisionButtons, DecisionFrame, WorkspaceLine } from './decision-frame.tsx'

/** Form of a code. */
const EXAMPLE = 'BCDF-GHJK'

/** Page on which a person enters the code of a program that has no browser, and lets it act for them. */
export function DevicePage() {
  const isPerson = useMe().data?.member != null
  const [typed, setTyped] = useState('')
  const code = asShown(typed)
  const checking = useMutation({ mutationFn: () => wholeDocent().account.apps.checkDevice(typed) })
  const deciding = useMutation({
    mutationFn: (decision: 'allow' | 'refuse') =>
      wholeDocent().account.apps.decideDevice({ user_code: code, decision }),
  })
  if (!isPerson) return <NoPerson />
  const client = checking.data?.client
  if (!client) {
    const onSubmit = (event: FormEvent) => {
      event.preventDefault()
      checking.mutate()
    }
    return (
      <DecisionFrame title={t`Connect a device`}>
        <form className="mt-4 space-y-5" onSubmit={onSubmit}>
          <Field label={t`Code`} hint={t`The program that you connect shows it.`}>
            {(control) => (
              <input
                {...control}
                className={`${inputClass} font-mono tracking-widest uppercase`}
                value={typed}
                maxLength={20}
                placeholder={EXAMPLE}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                required
                onChange={({ target }) => setTyped(target.value)}
              />
            )}
          </Field>
          {checking.error && <Notice>{explain(checking.error)}</Notice>}
          <Button type="submit" variant="primary" className="w-full" isBusy={checking.isPending}>
            <Trans>Continue</Trans>
          </Button>
        </form>
      </DecisionFrame>
    )
  }
  const name = client.name
  if (deciding.isSuccess)
    return (
      <DecisionFrame title={deciding.variables === 'allow' ? t`${name} is connected` : t`${name} was refused`}>
        <p role="status" className="text-pretty">
          <Trans>Go back to where you began. You can close this page.</Trans>
        </p>
      </DecisionFrame>
    )
  return (
    <DecisionFrame title={t`Let ${name} act for you?`}>
      <WorkspaceLine path="/oauth/device" />
      <p className="mt-6 text-pretty">
        <Trans>It may do everything that you may do in this workspace: read and change files, agents and chats.</Trans>
      </p>
      <p className="mt-4 rounded-control bg-canvas px-4 py-3 text-sm text-pretty">
        <Trans>
          Go on only if you began this yourself, on a device of yours that shows the code <strong>{code}</strong>.
          Anyone who sent you a code could act in your name.
        </Trans>
      </p>
      <DecisionButtons deciding={deciding} />
    </DecisionFrame>
  )
}

/** Code as the program shows it, however it was typed: people compare the two. */
function asShown(typed: string): string {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}
