import type { Message, MessageRights } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useIsAdmin } from '../../access/access.ts'
import { useMessageRights } from '../threads.queries.ts'

/** Rights with which an answer was made, for admins: whose they are, and which of the agent's folders they open. */
export function AnswerRights({ message }: { message: Message }) {
  const isAdmin = useIsAdmin()
  const { data: rights } = useMessageRights(message, isAdmin)
  if (!rights) return null
  const closed = rights.folders.filter(({ can_read }) => !can_read)
  return (
    <section>
      <h3 className="mb-1 font-medium">
        <Trans>Rights</Trans>
      </h3>
      <p className="text-pretty wrap-anywhere">
        <Trans>Answered with the rights of</Trans> <Subject rights={rights} />.
      </p>
      {rights.folders.length > 0 && (
        <ul aria-label={t`Folders of the agent`} className="mt-1 space-y-0.5">
          {rights.folders.map(({ id, path, can_read }) => (
            <li key={id} className="wrap-anywhere">
              <span className={can_read ? '' : 'text-muted line-through decoration-line-strong'}>
                {path.join(' / ')}
              </span>
              <span className="text-muted">{can_read ? t` · read` : t` · not read`}</span>
            </li>
          ))}
        </ul>
      )}
      {closed.length > 0 && (
        <p className="mt-1 text-muted">
          <Trans>As the rights are now; they may have been others when this was answered.</Trans>
        </p>
      )}
    </section>
  )
}

function Subject({ rights: { rights_of, member, api_key, virtual_user_id } }: { rights: MessageRights }) {
  const person = virtual_user_id && (
    <Link
      to="/people/$userId"
      params={{ userId: virtual_user_id }}
      className="text-accent underline underline-offset-2"
    >
      <Trans>a person</Trans>
    </Link>
  )
  const key = api_key ? t`the API key ${api_key.name}` : t`an API key`
  switch (rights_of) {
    case 'member':
      return member!.name
    case 'virtual_user':
      return <Trans>{person}, by the folders that they were granted</Trans>
    case 'visitor':
      return member ? t`a visitor of a link, who reads what ${member.name} may read` : t`a visitor of a link`
    default:
      return person ? (
        <Trans>
          {key}, on behalf of {person} without folders of their own
        </Trans>
      ) : (
        key
      )
  }
}
