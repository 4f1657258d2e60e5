import type { MemberGroup } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Pencil, Plus, Trash2 } from '../../ui/icons.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog, NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { createGroup, deleteGroup, renameGroup, useGroups } from './members.queries.ts'

/** Groups of members. */
export function GroupsSection() {
  const { data, error, isLoading, refetch } = useGroups()
  const [acting, setActing] = useState<{ group: MemberGroup; action: 'rename' | 'delete' } | null>(null)
  const [isMaking, setMaking] = useState(false)
  const close = () => setActing(null)
  return (
    <SettingSection
      title={t`Groups`}
      isWaiting={isLoading}
      about={t`Members under one name, such as a department.`}
      actions={
        <Button icon={Plus} onClick={() => setMaking(true)}>
          <Trans>New group</Trans>
        </Button>
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data && data.total > 0 && (
        <Table
          label={t`Groups`}
          columns={columns((group, action) => setActing({ group, action }))}
          rows={data.groups}
          rowKey={({ id }) => id}
        />
      )}
      {isMaking && (
        <NameDialog
          title={t`New group`}
          label={t`Name`}
          confirm={t`Create`}
          act={(name) => createGroup(name)}
          onClose={() => setMaking(false)}
        />
      )}
      {acting?.action === 'rename' && (
        <NameDialog
          title={t`Rename the group`}
          label={t`Name`}
          initial={acting.group.name}
          confirm={t`Rename`}
          act={(name) => renameGroup(acting.group, name)}
          onClose={close}
        />
      )}
      {acting?.action === 'delete' && (
        <ConfirmDialog
          title={t`Delete “${acting.group.name}”?`}
          confirm={t`Delete`}
          act={() => deleteGroup(acting.group)}
          onClose={close}
        >
          <Trans>Its members stay in the workspace.</Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

const columns = (onAct: (group: MemberGroup, action: 'rename' | 'delete') => void): Column<MemberGroup>[] => [
  {
    key: 'name',
    header: t`Name`,
    className: 'min-w-44',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  { key: 'members', header: t`Members`, isNumber: true, cell: ({ members }) => members },
  {
    key: 'actions',
    header: <ActionsHeader />,
    className: 'w-px whitespace-nowrap',
    cell: (group) => (
      <>
        <IconButton label={t`Rename ${group.name}`} icon={Pencil} onClick={() => onAct(group, 'rename')} />
        <IconButton label={t`Delete ${group.name}`} icon={Trash2} onClick={() => onAct(group, 'delete')} />
      </>
    ),
  },
]
