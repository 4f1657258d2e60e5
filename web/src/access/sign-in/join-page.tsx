import { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button, Spinner } from '../../ui/controls/button.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { useLinkToken } from '../link-token.ts'
import { acceptInvitation, joinWorkspace, useSession } from '../session/session.ts'
import { wholeDocent } from '../session/whole-client.ts'
import { SecondFactorForm } from './second-factor-form.tsx'
import { SecretField } from './secret-field.tsx'
import { SignInFrame } from './sign-in-frame.tsx'

/** Page of an invitation: makes an account, or takes one that there is, and opens the workspace. */
export function JoinPage() {
  const token = useLinkToken()
  const navigate = useNavigate()
  const session = useSession()
  const [asOther, setAsOther] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => wholeDocent().links.lookAtInvitation(token),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const member = session.state === 'signed_in' ? session.identity.member : null
  const open = () => navigate({ to: '/', replace: true })
  return (
    <SignInFrame title={t`Invitation`}>
      {error && <Notice className="mt-8">{explain(error)}</Notice>}
      {!data && !error && (
        <p className="mt-8">
          <Spinner label={t`Reading the invitation`} />
        </p>
      )}
      {data && (
        <>
          <p className="mt-4 font-display text-[1.6rem] leading-snug text-balance">
            <Trans>
              Join {data.workspace} of {data.organization}
            </Trans>
          </p>
          <p className="mt-2 text-muted">
            {
              {
                member: t`You are invited as a member.`,
                admin: t`You are invited as an admin.`,
                owner: t`You are invited as an owner.`,
              }[data.role]
            }
          </p>
          {member && !asOther ? (
            <JoinSignedIn token={token} email={member.email} onJoined={open} onOther={() => setAsOther(true)} />
          ) : (
            <JoinForm token={token} email={data.email} onJoined={open} />
          )}
        </>
      )}
    </SignInFrame>
  )
}

interface JoinSignedInProps {
  token: string
  email: string
  onJoined: () => void
  onOther: () => void
}

function JoinSignedIn({ token, email, onJoined, onOther }: JoinSignedInProps) {
  const joining = useMutation({ mutationFn: () => joinWorkspace(token), onSuccess: onJoined })
  return (
    <div className="mt-8 space-y-4">
      {joining.error && <Notice>{explain(joining.error)}</Notice>}
      <Button variant="primary" isBusy={joining.isPending} onClick={() => joining.mutate()} className="h-11 w-full">
        <Trans>Join as {email}</Trans>
      </Button>
      <Button onClick={onOther} className="h-11 w-full">
        <Trans>Use another account</Trans>
      </Button>
    </div>
  )
}

/** @param email the only one that may use the invitation; null for any */
function JoinForm({ token, email: bound, onJoined }: { token: string; email: string | null; onJoined: () => void }) {
  const [email, setEmail] = useState(bound ?? '')
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const joining = useMutation({
    mutationFn: () => acceptInvitation({ token, email: email.trim(), name: name.trim(), password }),
    onSuccess: ({ state }) => state === 'signed_in' && onJoined(),
  })
  if (joining.data?.state === 'second_factor')
    return <SecondFactorForm kinds={joining.data.second_factors} onSignedIn={onJoined} onStartAgain={onJoined} />
  const isWeak = joining.error instanceof DocentError && joining.error.code === 'WEAK_PASSWORD'
  return (
    <form
      className="mt-8 space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        joining.mutate()
      }}
    >
      <Field label={t`E-mail`} hint={bound ? t`The invitation is for this e-mail.` : undefined}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            autoFocus={!bound}
            required
            readOnly={bound !== null}
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            className="h-11"
          />
        )}
      </Field>
      <Field label={t`Name`} hint={t`As others see you.`}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            autoFocus={bound !== null}
            required
            maxLength={256}
            value={name}
            onChange={(event) => setName(event.target.value)}
            className="h-11"
          />
        )}
      </Field>
      <SecretField
        label={t`Password`}
        hint={t`At least 8 characters that are hard to guess: three or four words work well. If you have an account with this e-mail, its password.`}
        autoComplete="new-password"
        minLength={8}
        maxLength={200}
        error={isWeak ? explain(joining.error) : null}
        value={password}
        onChange={setPassword}
      />
      {joining.error && !isWeak && <Notice>{explainJoin(joining.error)}</Notice>}
      <Button variant="primary" type="submit" isBusy={joining.isPending} className="h-11 w-full">
        <Trans>Join</Trans>
      </Button>
    </form>
  )
}

const explainJoin = (error: unknown): string => {
  if (!(error instanceof DocentError)) return explain(error)
  if (error.status === 401) return t`There is an account with this e-mail, and this is not its password.`
  return error.status === 403 || error.status === 429 ? `${error.message}.` : explain(error)
}
