import type { Chat, VirtualUser } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { NoAccess, useIsAdmin, useWorkspaceId } from '../access/access.ts'
import { chatTypes } from '../platform/chat-types.ts'
import { explain } from '../platform/errors.ts'
import { formatNumber, formatShortNumber } from '../platform/format.ts'
import { Button, buttonClass } from '../ui/controls/button.tsx'
import { Facts, Figures } from '../ui/data/facts.tsx'
import { type Column, stretched, Table } from '../ui/data/table.tsx'
import { Time } from '../ui/data/time.tsx'
import { ArrowLeft, Download, Eraser, MessageSquare, Pencil, Trash2, Users } from '../ui/icons.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Tag } from '../ui/notices/badge.tsx'
import { EmptyState } from '../ui/notices/empty-state.tsx'
import { LoadProblem } from '../ui/notices/load-problem.tsx'
import { Notice } from '../ui/notices/notice.tsx'
import { ConfirmDialog } from '../ui/overlays/ask-dialogs.tsx'
import { toast } from '../ui/overlays/toasts.tsx'
import { unawaited } from '../ui/unawaited.ts'
import { EraseDialog } from './erase-dialog.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { toText } from './metadata-fields.tsx'
import {
  exportPerson,
  removePerson,
  restorePerson,
  usePerson,
  usePersonChats,
  usePersonUsage,
} from './people.queries.ts'
import { PersonFolders } from './person-folders.tsx'
import { PersonForm } from './person-form.tsx'

/** Page of a person: profile, folders, usage and chats. */
export function PersonPage() {
  const { userId = '' } = useParams({ strict: false })
  if (!useIsAdmin())
    return (
      <NoAccess>
        <Trans>People are for keys of admins and owners of this workspace.</Trans>
      </NoAccess>
    )
  return <Person key={userId} id={userId} />
}

function Person({ id }: { id: string }) {
  const { data: person, error, refetch } = usePerson(id)
  const workspaceId = useWorkspaceId()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'edit' | 'merge' | 'remove' | 'erase' | null>(null)
  const close = () => setOpen(null)
  const toPeople = () => navigate({ to: '/people' })

  async function remove({ email }: VirtualUser) {
    await removePerson(workspaceId, id)
    await toPeople()
    const restore = () => restorePerson(workspaceId, email).catch((reason) => toast(explain(reason), { isError: true }))
    toast(t`${email} was removed`, { action: { label: t`Restore`, run: () => unawaited(restore()) }, shownMs: 12_000 })
  }

  if (error)
    return (
      <>
        <PageHeader title={t`Person`} />
        <LoadProblem
          error={error}
          title={t`This person is not here`}
          way={
            <Link to="/people" className={buttonClass('primary')}>
              <Trans>All people</Trans>
            </Link>
          }
          onRetry={refetch}
        />
      </>
    )
  if (!person) return null
  return (
    <>
      <PageHeader
        title={person.name ?? person.email}
        actions={
          <>
            <Button icon={Pencil} onClick={() => setOpen('edit')}>
              <Trans>Edit</Trans>
            </Button>
            <Button icon={Users} onClick={() => setOpen('merge')}>
              <Trans>Merge</Trans>
            </Button>
            <ExportButton person={person} />
            <Button icon={Trash2} onClick={() => setOpen('remove')}>
              <Trans>Remove</Trans>
            </Button>
            <Button icon={Eraser} onClick={() => setOpen('erase')}>
              <Trans>Erase</Trans>
            </Button>
          </>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="mx-auto max-w-5xl space-y-8 p-4 sm:p-6">
          <div>
            <BackToPeople />
            <Facts
              facts={[
                ['E-mail', person.email],
                [t`From`, person.origin],
                [t`Known since`, <Time key="since" iso={person.created_at} />],
                ...Object.entries(person.metadata).map(([key, value]): [string, string] => [key, toText(value)]),
              ]}
            />
          </div>
          <PersonFolders person={person} />
          <Usage id={id} />
          <Chats id={id} />
        </div>
      </div>
      {open === 'edit' && <PersonForm person={person} onSaved={() => toast(t`Saved`)} onClose={close} />}
      {open === 'merge' && (
        <MergeDialog
          person={person}
          onClose={close}
          onMerged={(into) => {
            toast(t`${person.email} is merged into ${into.name ?? into.email}`)
            unawaited(navigate({ to: '/people/$userId', params: { userId: into.id } }))
          }}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog title={t`Remove this person?`} confirm={t`Remove`} act={() => remove(person)} onClose={close}>
          <Trans>
            {person.email} disappears from the lists. Chats keep their name, and the e-mail brings the profile back
            whenever it is used again. To remove what they left, erase them instead.
          </Trans>
        </ConfirmDialog>
      )}
      {open === 'erase' && <EraseDialog person={person} onClose={close} onErased={toPeople} />}
    </>
  )
}

function ExportButton({ person }: { person: VirtualUser }) {
  const workspaceId = useWorkspaceId()
  const exporting = useMutation({
    mutationFn: () => exportPerson(workspaceId, person),
    onError: (error) => toast(t`The export failed. ${explain(error)}`, { isError: true }),
  })
  return (
    <Button icon={Download} isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
      <Trans>Export</Trans>
    </Button>
  )
}

const BackToPeople = () => (
  <Link to="/people" className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
    <ArrowLeft size={15} aria-hidden />
    <Trans>All people</Trans>
  </Link>
)

function Usage({ id }: { id: string }) {
  const { data } = usePersonUsage(id)
  if (!data || data.messages === 0) return null
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">
        <Trans>Usage</Trans>
      </h2>
      <Figures
        figures={[
          [t`Messages`, formatNumber(data.messages)],
          [t`Chats`, formatNumber(data.chats)],
          [t`Tokens read`, formatShortNumber(data.input_tokens)],
          [t`Tokens written`, formatShortNumber(data.output_tokens)],
          [t`Last asked`, data.last_message_at ? <Time key="last" iso={data.last_message_at} /> : '–'],
        ]}
      />
    </section>
  )
}

function Chats({ id }: { id: string }) {
  const { data: chats, error, hasNextPage, fetchNextPage, isFetchingNextPage } = usePersonChats(id)
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">
        <Trans>Chats</Trans>
      </h2>
      {error && <Notice>{explain(error)}</Notice>}
      {chats?.length === 0 && (
        <EmptyState icon={MessageSquare} title={t`Nothing asked yet`}>
          <Trans>Chats in which a question carries this e-mail are listed here.</Trans>
        </EmptyState>
      )}
      {chats && chats.length > 0 && (
        <Table label={t`Chats of this person`} columns={CHAT_COLUMNS} rows={chats} rowKey={(chat) => chat.id} />
      )}
      {hasNextPage && (
        <Button className="mt-4" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </section>
  )
}

const CHAT_COLUMNS: Column<Chat>[] = [
  {
    key: 'title',
    header: t`Chat`,
    className: 'min-w-52',
    cell: ({ id, agent_id, title }) => (
      <Link
        to="/agents/$agentId/threads/$chatId"
        params={{ agentId: agent_id, chatId: id }}
        className={`${stretched} wrap-anywhere`}
      >
        {title}
      </Link>
    ),
  },
  { key: 'type', header: t`Type`, cell: ({ chat_type }) => chatTypes()[chat_type] },
  {
    key: 'metadata',
    header: t`Metadata`,
    cell: ({ metadata }) => (
      <span className="flex flex-wrap gap-1">
        {Object.entries(metadata).map(([key, value]) => (
          <Tag key={key}>
            {key}: {value}
          </Tag>
        ))}
      </span>
    ),
  },
  { key: 'began', header: t`Began`, cell: ({ created_at }) => <Time iso={created_at} /> },
]
