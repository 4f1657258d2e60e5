import type { MadeLink as Link, Member } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { PersonFace, roleName, useMe } from '../../access/access.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { Pager } from '../../ui/controls/pager.tsx'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { TimeOrNever } from '../../ui/data/time.tsx'
import { Ellipsis, Lock, LockOpen, Pencil, ScrollText, Trash2 } from '../../ui/icons.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { SettingSection } from '../setting-section.tsx'
import { MadeLink } from './made-link.tsx'
import { GroupsField, RoleField } from './member-fields.tsx'
import {
  createPasswordLink,
  MEMBERS_PER_PAGE,
  removeMember,
  removeTwoFactor,
  updateMember,
  useMembers,
} from './members.queries.ts'

type Action = 'edit' | 'log' | 'password' | 'second-factor' | 'remove'

/** People who are members of the workspace. */
export function MembersSection() {
  const [page, setPage] = useState(1)
  const { data, error, isLoading, refetch, isPlaceholderData } = useMembers(page)
  const [acting, setActing] = useState<{ action: Action; member: Member } | null>(null)
  const [link, setLink] = useState<{ link: Link; member: Member } | null>(null)
  const ownId = useMe().data?.member?.id
  const close = () => setActing(null)
  const navigate = useNavigate()
  const act = (action: Action, member: Member) => {
    if (action !== 'log') setActing({ action, member })
    else unawaited(navigate({ to: '/settings/audit-log', search: { by: `member:${member.id}` } }))
  }
  return (
    <SettingSection
      title={t`Members`}
      isWaiting={isLoading}
      about={t`People with an account in this workspace. What a role may do is the same as for keys, and a member may make folders and agents.`}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data?.total === 0 && (
        <p className="text-muted">
          <Trans>Nobody has an account here yet: invite somebody.</Trans>
        </p>
      )}
      {data && data.total > 0 && (
        <>
          <Table
            label={t`Members`}
            columns={columns(ownId, act)}
            rows={data.members}
            rowKey={({ id }) => id}
            isStale={isPlaceholderData}
          />
          <Pager page={page} pageSize={MEMBERS_PER_PAGE} total={data.total} onPage={setPage} />
        </>
      )}
      {acting?.action === 'edit' && <MemberForm member={acting.member} onClose={close} />}
      {acting?.action === 'password' && (
        <ConfirmDialog
          title={t`A new password for ${acting.member.name}?`}
          confirm={t`Make a link`}
          act={async () => setLink({ link: await createPasswordLink(acting.member), member: acting.member })}
          onClose={close}
        >
          <Trans>
            You get a link to give to {acting.member.name}, who sets the password with it. Earlier links end.
          </Trans>
        </ConfirmDialog>
      )}
      {acting?.action === 'second-factor' && (
        <ConfirmDialog
          title={t`Turn the second factor of ${acting.member.name} off?`}
          confirm={t`Turn off`}
          act={() => removeTwoFactor(acting.member)}
          onClose={close}
        >
          <Trans>
            Anybody who knows the password of {acting.member.email} can then sign in. Do it only for somebody who lost
            both the app and the recovery codes, and whom you know to be the one who asks.
          </Trans>
        </ConfirmDialog>
      )}
      {acting?.action === 'remove' && (
        <ConfirmDialog
          title={t`Remove ${acting.member.name}?`}
          confirm={t`Remove`}
          act={() => removeMember(acting.member)}
          onClose={close}
        >
          <Trans>
            {acting.member.email} is signed out of this workspace within five seconds, and personal keys end. What they
            made stays.
          </Trans>
        </ConfirmDialog>
      )}
      {link && (
        <MadeLink
          title={t`The link is ready`}
          about={t`With it, ${link.member.name} sets a new password.`}
          url={link.link.url}
          expiresAt={link.link.expires_at}
          onClose={() => setLink(null)}
        />
      )}
    </SettingSection>
  )
}

function MemberForm({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(member.role)
  const [groupIds, setGroupIds] = useState(member.groups.map(({ id }) => id))
  const saving = useMutation({
    mutationFn: () => updateMember(member, { role, group_ids: groupIds }),
    onSuccess: onClose,
  })
  return (
    <FormDialog title={member.name} saving={saving} save={t`Save`} onSave={() => saving.mutate()} onClose={onClose}>
      <RoleField role={role} onChange={setRole} />
      <GroupsField chosen={groupIds} onChange={setGroupIds} />
    </FormDialog>
  )
}

const columns = (ownId: string | undefined, onAct: (action: Action, member: Member) => void): Column<Member>[] => [
  {
    key: 'name',
    header: t`Name`,
    className: 'min-w-52',
    cell: ({ id, name, email, picture_url }) => (
      <div className="flex items-center gap-3">
        <PersonFace name={name} id={id} pictureUrl={picture_url} />
        <div className="min-w-0">
          <span className="font-medium wrap-anywhere">{name}</span>
          {id === ownId && (
            <span className="ms-2 text-sm text-accent">
              <Trans>you</Trans>
            </span>
          )}
          <span className="block text-sm text-muted wrap-anywhere">{email}</span>
        </div>
      </div>
    ),
  },
  { key: 'role', header: t`Role`, cell: ({ role }) => roleName(role) },
  {
    key: 'groups',
    header: t`Groups`,
    className: 'min-w-36',
    cell: ({ groups }) => <span className="text-sm text-muted">{groups.map(({ name }) => name).join(', ')}</span>,
  },
  {
    key: 'signed_in',
    header: t`Last sign-in`,
    cell: ({ signed_in_at }) => <TimeOrNever iso={signed_in_at} />,
  },
  {
    key: 'actions',
    header: <ActionsHeader />,
    className: 'w-px',
    cell: (member) => (
      <Menu
        label={t`Actions for ${member.name}`}
        trigger={(props) => <IconButton {...props} label={t`Actions for ${member.name}`} icon={Ellipsis} />}
      >
        <MenuItem icon={Pencil} onSelect={() => onAct('edit', member)}>
          <Trans>Role and groups</Trans>
        </MenuItem>
        <MenuItem icon={ScrollText} onSelect={() => onAct('log', member)}>
          {member.id === ownId ? t`What you did` : t`What they did`}
        </MenuItem>
        <MenuItem icon={Lock} onSelect={() => onAct('password', member)}>
          <Trans>Link for a new password</Trans>
        </MenuItem>
        {member.has_second_factor && (
          <MenuItem icon={LockOpen} onSelect={() => onAct('second-factor', member)}>
            <Trans>Turn the second factor off</Trans>
          </MenuItem>
        )}
        <MenuItem icon={Trash2} onSelect={() => onAct('remove', member)}>
          {member.id === ownId ? t`Leave the workspace` : t`Remove`}
        </MenuItem>
      </Menu>
    ),
  },
]
