import type { MemberGroup } from '@docent/sdk'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Pencil, Plus, Trash2 } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { ConfirmDialog, NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { createGroup, deleteGroup, renameGroup, useGroups } from './members.queries.ts'

/** Groups of members. */
export function GroupsSection() {
  const { data, error, refetch } = useGroups()
  const [acting, setActing] = useState<{ group: MemberGroup; action: 'rename' | 'delete' } | null>(null)
  const [isMaking, setMaking] = useState(false)
  const close = () => setActing(null)
  return (
    <SettingSection
      title="Groups"
      about="Members under one name, such as a department."
      actions={
        <Button icon={Plus} onClick={() => setMaking(true)}>
          New group
        </Button>
      }
    >
      {error && <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>}
      {data && data.total > 0 && (
        <Table
          label="Groups"
          columns={columns((group, action) => setActing({ group, action }))}
          rows={data.groups}
          rowKey={({ id }) => id}
        />
      )}
      {isMaking && (
        <NameDialog
          title="New group"
          label="Name"
          confirm="Create"
          act={(name) => createGroup(name)}
          onClose={() => setMaking(false)}
        />
      )}
      {acting?.action === 'rename' && (
        <NameDialog
          title="Rename the group"
          label="Name"
          initial={acting.group.name}
          confirm="Rename"
          act={(name) => renameGroup(acting.group, name)}
          onClose={close}
        />
      )}
      {acting?.action === 'delete' && (
        <ConfirmDialog
          title={`Delete “${acting.group.name}”?`}
          confirm="Delete"
          act={() => deleteGroup(acting.group)}
          onClose={close}
        >
          Its members stay in the workspace.
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

const columns = (onAct: (group: MemberGroup, action: 'rename' | 'delete') => void): Column<MemberGroup>[] => [
  {
    key: 'name',
    header: 'Name',
    className: 'min-w-44',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
  },
  { key: 'members', header: 'Members', isNumber: true, cell: ({ members }) => members },
  {
    key: 'actions',
    header: <span className="sr-only">Actions</span>,
    className: 'w-px whitespace-nowrap',
    cell: (group) => (
      <>
        <IconButton label={`Rename ${group.name}`} icon={Pencil} onClick={() => onAct(group, 'rename')} />
        <IconButton label={`Delete ${group.name}`} icon={Trash2} onClick={() => onAct(group, 'delete')} />
      </>
    ),
  },
]
