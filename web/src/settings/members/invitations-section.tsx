import type { Invitation, MadeInvitation } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { roleName, useMe } from '../../access/access.ts'
import { formatDue } from '../../platform/format.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Pager } from '../../ui/controls/pager.tsx'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { Plus, Trash2 } from '../../ui/icons.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { SettingSection } from '../setting-section.tsx'
import { MadeLink } from './made-link.tsx'
import { GroupsField, RoleField } from './member-fields.tsx'
import { invite, MEMBERS_PER_PAGE, revokeInvitation, useInvitations } from './members.queries.ts'

const EXPIRIES = [
  { hours: 24, name: t`In a day` },
  { hours: 168, name: t`In a week` },
  { hours: 720, name: t`In 30 days` },
]

/** Invitations that nobody used yet. */
export function InvitationsSection() {
  const [page, setPage] = useState(1)
  const { data, error, isLoading, refetch, isPlaceholderData } = useInvitations(page)
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<MadeInvitation | null>(null)
  const [revoking, setRevoking] = useState<Invitation | null>(null)
  // A narrowed key could otherwise invite somebody who may do more.
  const isNarrowed = useMe().data?.key.scopes != null
  return (
    <SettingSection
      title={t`Invitations`}
      isWaiting={isLoading}
      about={t`The first person to open a link becomes a member. A link stops working when its creator may no longer invite.`}
      actions={
        !isNarrowed && (
          <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
            <Trans>Invite</Trans>
          </Button>
        )
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data && data.total > 0 && (
        <>
          <Table
            label={t`Invitations`}
            columns={columns(setRevoking)}
            rows={data.invitations}
            rowKey={({ id }) => id}
            isStale={isPlaceholderData}
          />
          <Pager page={page} pageSize={MEMBERS_PER_PAGE} total={data.total} onPage={setPage} />
        </>
      )}
      {isMaking && (
        <InvitationForm
          onClose={() => setMaking(false)}
          onMade={(invitation) => {
            setMaking(false)
            setMade(invitation)
          }}
        />
      )}
      {made && (
        <MadeLink
          title={t`The invitation is ready`}
          about={invitationNotice(made)}
          url={made.url}
          expiresAt={made.expires_at}
          onClose={() => setMade(null)}
        />
      )}
      {revoking && (
        <ConfirmDialog
          title={t`Revoke this invitation?`}
          confirm={t`Revoke`}
          act={() => revokeInvitation(revoking)}
          onClose={() => setRevoking(null)}
        >
          <Trans>Its link stops working at once.</Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

const invitationNotice = ({ email, is_sent }: MadeInvitation): string => {
  if (!email) return t`Anybody with this link can use it.`
  return is_sent ? t`It was sent to ${email}, and is for this e-mail only.` : t`It is for ${email} only.`
}

interface InvitationFormProps {
  onClose: () => void
  onMade: (invitation: MadeInvitation) => void
}

function InvitationForm({ onClose, onMade }: InvitationFormProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Invitation['role']>('member')
  const [groupIds, setGroupIds] = useState<string[]>([])
  const [hours, setHours] = useState(168)
  const making = useMutation({
    mutationFn: () => invite({ email: email.trim() || null, role, group_ids: groupIds, expires_in_hours: hours }),
    onSuccess: onMade,
  })
  return (
    <FormDialog
      title={t`Invite somebody`}
      saving={making}
      save={t`Make the link`}
      onSave={() => making.mutate()}
      onClose={onClose}
    >
      <Field label={t`E-mail`} hint={t`Only this address may use the link. Empty: anybody with the link.`}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="off"
            autoFocus
            maxLength={254}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <RoleField role={role} onChange={setRole} />
      <Field label={t`Expires`}>
        {(control) => (
          <Select {...control} value={hours} onChange={({ target }) => setHours(Number(target.value))}>
            {EXPIRIES.map((one) => (
              <option key={one.hours} value={one.hours}>
                {one.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <GroupsField chosen={groupIds} onChange={setGroupIds} />
    </FormDialog>
  )
}

const columns = (onRevoke: (invitation: Invitation) => void): Column<Invitation>[] => [
  {
    key: 'email',
    header: t`For`,
    className: 'sm:min-w-44',
    cell: ({ email }) =>
      email ? (
        <span className="font-medium wrap-anywhere">{email}</span>
      ) : (
        <span>
          <Trans>Anybody with the link</Trans>
        </span>
      ),
  },
  { key: 'role', header: t`Role`, cell: ({ role }) => roleName(role) },
  { key: 'created', header: t`Made`, className: 'max-sm:hidden', cell: ({ created_at }) => <Time iso={created_at} /> },
  { key: 'expires', header: t`Expires`, cell: ({ expires_at }) => formatDue(expires_at) },
  {
    key: 'actions',
    header: <ActionsHeader />,
    className: 'w-px',
    cell: (invitation) => (
      <IconButton
        label={t`Revoke the invitation ${invitation.email ? t`of ${invitation.email}` : t`for anybody with the link`}`}
        icon={Trash2}
        onClick={() => onRevoke(invitation)}
      />
    ),
  },
]
