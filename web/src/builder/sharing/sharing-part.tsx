import type { Agent, AgentLink, AgentVisibility } from '@docent/sdk'
import { useId, useState } from 'react'
import { useIsForeign } from '../../agents/agents.ts'
import { explain } from '../../platform/errors.ts'
import { count } from '../../platform/format.ts'
import { Button, buttonClass, IconButton } from '../../ui/controls/button.tsx'
import { CopyBox, CopyButton } from '../../ui/controls/copy-button.tsx'
import { ExternalLink, Pencil, Plus, Trash2 } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { deleteLink, useLinks } from '../builder.queries.ts'
import type { Draft } from '../draft.ts'
import { EmptyList, PartSection } from '../part-section.tsx'
import { LinkForm } from './link-form.tsx'
import { PeopleSection } from './people-section.tsx'
import { ThreadsSection } from './threads-section.tsx'

const VISIBILITIES: { value: AgentVisibility; label: string; about: string }[] = [
  {
    value: 'private',
    label: 'This workspace',
    about: 'Only keys of this workspace may use it. Links to it are closed.',
  },
  {
    value: 'organization',
    label: 'The organization',
    about: 'Every workspace of the organization may use it; links for the organization work.',
  },
  { value: 'public', label: 'Everybody with a link', about: 'As above, and public links work: no key, no sign-in.' },
]

interface SharingPartProps {
  /** Agent as saved. */
  agent: Agent
  draft: Draft
}

/** Visibility of the agent, and the links through which people chat with it. */
export function SharingPart({ agent, draft: { fields, change, changed } }: SharingPartProps) {
  const group = useId()
  return (
    <>
      <fieldset>
        <legend className="text-base font-semibold">Who may use it</legend>
        <div className="mt-3 space-y-2">
          {VISIBILITIES.map(({ value, label, about }) => (
            <label
              key={value}
              className="flex cursor-pointer items-start gap-2.5 rounded-card border border-line px-3.5 py-2.5 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft"
            >
              <input
                type="radio"
                name={group}
                value={value}
                checked={fields.visibility === value}
                onChange={() => change({ visibility: value })}
                aria-describedby={`${group}-${value}`}
                aria-label={label}
                className="mt-1 size-4 shrink-0 accent-accent"
              />
              <span>
                <span className="block font-medium">{label}</span>
                <span id={`${group}-${value}`} className="block text-sm text-muted">
                  {about}
                </span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <PeopleSection agent={agent} />
      <ThreadsSection agentId={agent.id} />
      <Links agent={agent} isVisibilityUnsaved={changed.includes('visibility')} />
    </>
  )
}

interface LinksProps {
  agent: Agent
  isVisibilityUnsaved: boolean
}

function Links({ agent, isVisibilityUnsaved }: LinksProps) {
  const { id: agentId, visibility } = agent
  const isForeign = useIsForeign(agent)
  const { data: links, error, refetch } = useLinks(agentId)
  const [editing, setEditing] = useState<AgentLink | 'new' | null>(null)
  const [deleting, setDeleting] = useState<AgentLink | null>(null)
  return (
    <PartSection
      title="Links"
      about="A page of its own on which people chat with the agent, and one line of HTML that puts the chat on a website."
      action={
        <Button icon={Plus} disabled={visibility === 'private'} onClick={() => setEditing('new')}>
          New link
        </Button>
      }
    >
      {error && <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>}
      {links?.length === 0 && (
        <EmptyList>
          {isForeign
            ? 'Its links are made and listed in its own workspace.'
            : visibility === 'private'
              ? 'For a link, choose above that the organization or everybody may use it, and save.'
              : 'No link yet: nobody without a key can reach this agent.'}
        </EmptyList>
      )}
      <ul aria-label="Links" className="space-y-3">
        {links?.map((link) => (
          <LinkCard
            key={link.id}
            link={link}
            isVisibilityUnsaved={isVisibilityUnsaved}
            onEdit={() => setEditing(link)}
            onDelete={() => setDeleting(link)}
          />
        ))}
      </ul>
      {editing && (
        <LinkForm
          agentId={agentId}
          visibility={visibility}
          link={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {deleting && (
        <ConfirmDialog
          title="Delete this link?"
          confirm="Delete"
          act={() => deleteLink(agentId, deleting.id)}
          onClose={() => setDeleting(null)}
        >
          “{deleting.name}” leads nowhere within seconds, on every page that embeds it. Its chats stay.
        </ConfirmDialog>
      )}
    </PartSection>
  )
}

interface LinkCardProps {
  link: AgentLink
  isVisibilityUnsaved: boolean
  onEdit: () => void
  onDelete: () => void
}

const LinkCard = ({ link, isVisibilityUnsaved, onEdit, onDelete }: LinkCardProps) => (
  <li className="rounded-card border border-line">
    <div className="flex items-center gap-1 py-2.5 pe-2 ps-3.5">
      <div className="min-w-0 flex-1">
        <h3 className="flex flex-wrap items-baseline gap-x-3">
          <span className="truncate font-medium">{link.name}</span>
          {link.is_working ? <Badge tone="good">Works</Badge> : <Badge tone="bad">Closed</Badge>}
        </h3>
        <p className="text-sm text-muted">
          {link.audience === 'public' ? 'For everybody who has it' : 'For people of the organization'} ·{' '}
          {count(link.queries_per_minute, 'question')} a minute, {link.queries_per_visitor_per_minute} a visitor
        </p>
      </div>
      <IconButton label={`Change ${link.name}`} icon={Pencil} onClick={onEdit} />
      <IconButton label={`Delete ${link.name}`} icon={Trash2} onClick={onDelete} />
    </div>
    {!link.is_working && (
      <p className="border-t border-line px-3.5 py-2.5 text-sm">
        It is closed because of “Who may use it” above:{' '}
        {link.audience === 'public'
          ? 'a public link needs “Everybody with a link”.'
          : 'it needs “The organization” or more.'}
        {isVisibilityUnsaved && ' Your change is not saved yet.'}
      </p>
    )}
    <div className="space-y-3 border-t border-line px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={link.url} label="Copy the address" />
        <a href={link.url} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
          <ExternalLink size={15} aria-hidden />
          Open
        </a>
      </div>
      <div>
        <h4 className="mb-1.5 text-sm font-medium">On a website</h4>
        {link.allowed_origins.length > 0 ? (
          <>
            <CopyBox label={`HTML for ${link.name}`} text={link.embed_code} />
            <p className="mt-1.5 text-sm text-muted wrap-anywhere">
              Put this line before <code className="font-mono">&lt;/body&gt;</code> of the page. It works on{' '}
              {link.allowed_origins.join(', ')}.
            </p>
          </>
        ) : (
          <p className="text-sm text-muted">
            No website may embed it yet: change the link, and name the origins of those that should.
          </p>
        )}
      </div>
    </div>
  </li>
)
