import type { Chat, VirtualUser } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { NoAccess, useIsAdmin, useWorkspaceId } from '../access/access.ts'
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
  if (!useIsAdmin()) return <NoAccess>People are for keys of admins and owners of this workspace.</NoAccess>
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
    toast(`${email} was removed`, { action: { label: 'Restore', run: () => unawaited(restore()) }, shownMs: 12_000 })
  }

  if (error)
    return (
      <>
        <PageHeader title="Person" />
        <LoadProblem
          error={error}
          title="This person is not here"
          way={
            <Link to="/people" className={buttonClass('primary')}>
              All people
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
              Edit
            </Button>
            <Button icon={Users} onClick={() => setOpen('merge')}>
              Merge
            </Button>
            <ExportButton person={person} />
            <Button icon={Trash2} onClick={() => setOpen('remove')}>
              Remove
            </Button>
            <Button icon={Eraser} onClick={() => setOpen('erase')}>
              Erase
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
                ['From', person.origin],
                ['Known since', <Time key="since" iso={person.created_at} />],
                ...Object.entries(person.metadata).map(([key, value]): [string, string] => [key, toText(value)]),
              ]}
            />
          </div>
          <PersonFolders person={person} />
          <Usage id={id} />
          <Chats id={id} />
        </div>
      </div>
      {open === 'edit' && <PersonForm person={person} onSaved={() => toast('Saved')} onClose={close} />}
      {open === 'merge' && (
        <MergeDialog
          person={person}
          onClose={close}
          onMerged={(into) => {
            toast(`${person.email} is merged into ${into.name ?? into.email}`)
            unawaited(navigate({ to: '/people/$userId', params: { userId: into.id } }))
          }}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog title="Remove this person?" confirm="Remove" act={() => remove(person)} onClose={close}>
          {person.email} leaves the lists. Chats keep their name, and the e-mail brings the profile back whenever it is
          used again. To remove what they left, erase them instead.
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
    onError: (error) => toast(`The export failed. ${explain(error)}`, { isError: true }),
  })
  return (
    <Button icon={Download} isBusy={exporting.isPending} onClick={() => exporting.mutate()}>
      Export
    </Button>
  )
}

const BackToPeople = () => (
  <Link to="/people" className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
    <ArrowLeft size={15} aria-hidden />
    All people
  </Link>
)

function Usage({ id }: { id: string }) {
  const { data } = usePersonUsage(id)
  if (!data || data.messages === 0) return null
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">Usage</h2>
      <Figures
        figures={[
          ['Messages', formatNumber(data.messages)],
          ['Chats', formatNumber(data.chats)],
          ['Tokens read', formatShortNumber(data.input_tokens)],
          ['Tokens written', formatShortNumber(data.output_tokens)],
          ['Last asked', data.last_message_at ? <Time key="last" iso={data.last_message_at} /> : '–'],
        ]}
      />
    </section>
  )
}

function Chats({ id }: { id: string }) {
  const { data: chats, error, hasNextPage, fetchNextPage, isFetchingNextPage } = usePersonChats(id)
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">Chats</h2>
      {error && <Notice>{explain(error)}</Notice>}
      {chats?.length === 0 && (
        <EmptyState icon={MessageSquare} title="Nothing asked yet">
          Chats in which a question carries this e-mail are listed here.
        </EmptyState>
      )}
      {chats && chats.length > 0 && (
        <Table label="Chats of this person" columns={CHAT_COLUMNS} rows={chats} rowKey={(chat) => chat.id} />
      )}
      {hasNextPage && (
        <Button className="mt-4" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
    </section>
  )
}

const CHAT_COLUMNS: Column<Chat>[] = [
  {
    key: 'title',
    header: 'Chat',
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
  { key: 'type', header: 'Type', cell: ({ chat_type }) => <span className="capitalize">{chat_type}</span> },
  {
    key: 'metadata',
    header: 'Metadata',
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
  { key: 'began', header: 'Began', cell: ({ created_at }) => <Time iso={created_at} /> },
]
