import type { Agent, AgentLink, AgentVisibility } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { useIsForeign } from '../../agents/agents.ts'
import { Button, buttonClass, IconButton } from '../../ui/controls/button.tsx'
import { CopyBox, CopyButton } from '../../ui/controls/copy-button.tsx'
import { ExternalLink, Pencil, Plus, Trash2 } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
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
    label: t`This workspace`,
    about: t`Only keys of this workspace may use it. Links to it are closed.`,
  },
  {
    value: 'organization',
    label: t`The organization`,
    about: t`Every workspace of the organization may use it; links for the organization work.`,
  },
  { value: 'public', label: t`Everybody with a link`, about: t`As above, and public links work: no key, no sign-in.` },
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
        <legend className="text-base font-semibold">
          <Trans>Who may use it</Trans>
        </legend>
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
      title={t`Links`}
      about={t`A page of its own on which people chat with the agent, and one line of HTML that puts the chat on a website.`}
      action={
        <Button icon={Plus} disabled={visibility === 'private'} onClick={() => setEditing('new')}>
          <Trans>New link</Trans>
        </Button>
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {links?.length === 0 && (
        <EmptyList>
          {isForeign
            ? t`Its links are made and listed in its own workspace.`
            : visibility === 'private'
              ? t`For a link, choose above that the organization or everybody may use it, and save.`
              : t`No link yet: nobody without a key can reach this agent.`}
        </EmptyList>
      )}
      <ul aria-label={t`Links`} className="space-y-3">
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
      {editing && <LinkForm agent={agent} link={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {deleting && (
        <ConfirmDialog
          title={t`Delete this link?`}
          confirm={t`Delete`}
          act={() => deleteLink(agentId, deleting.id)}
          onClose={() => setDeleting(null)}
        >
          <Trans>“{deleting.name}” stops working within seconds, on every page that embeds it. Its chats stay.</Trans>
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
          <bdi className="truncate font-medium">{link.name}</bdi>
          {link.is_working ? (
            <Badge tone="good">
              <Trans>Works</Trans>
            </Badge>
          ) : (
            <Badge tone="bad">
              <Trans>Closed</Trans>
            </Badge>
          )}
        </h3>
        <p className="text-sm text-muted">
          <Trans>
            {link.audience === 'public' ? t`For everybody who has it` : t`For people of the organization`} ·{' '}
            {plural(link.queries_per_minute, { one: '# question', other: '# questions' })} a minute,{' '}
            {link.queries_per_visitor_per_minute} a visitor
          </Trans>
        </p>
      </div>
      <IconButton label={t`Change ${link.name}`} icon={Pencil} onClick={onEdit} />
      <IconButton label={t`Delete ${link.name}`} icon={Trash2} onClick={onDelete} />
    </div>
    {!link.is_working && (
      <p className="border-t border-line px-3.5 py-2.5 text-sm">
        <Trans>
          It is closed because of “Who may use it” above:{' '}
          {link.audience === 'public'
            ? t`a public link needs “Everybody with a link”.`
            : t`it needs “The organization” or more.`}
        </Trans>
        {isVisibilityUnsaved && t` Your change is not saved yet.`}
      </p>
    )}
    <div className="space-y-3 border-t border-line px-3.5 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <CopyButton text={link.url} label={t`Copy the address`} />
        <a href={link.url} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
          <ExternalLink size={15} aria-hidden />
          <Trans>Open</Trans>
        </a>
      </div>
      <div>
        <h4 className="mb-1.5 text-sm font-medium">
          <Trans>On a website</Trans>
        </h4>
        {link.allowed_origins.length > 0 ? (
          <>
            <CopyBox label={t`HTML for ${link.name}`} text={link.embed_code} />
            <p className="mt-1.5 text-sm text-muted wrap-anywhere">
              <Trans>
                Put this line before <code className="font-mono">&lt;/body&gt;</code> of the page. It works on{' '}
                {link.allowed_origins.join(', ')}.
              </Trans>
            </p>
          </>
        ) : (
          <p className="text-sm text-muted">
            <Trans>No website may embed it yet: change the link, and name the origins of those that should.</Trans>
          </p>
        )}
      </div>
    </div>
  </li>
)
