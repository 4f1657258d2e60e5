import type { Message, MessageRights } from '@docent/sdk'
import { Link } from '@tanstack/react-router'
import { useIsAdmin } from '../access/access.ts'
import { useMessageRights } from './threads.queries.ts'

/** Rights with which an answer was made, for admins: whose they are, and which of the agent's folders they open. */
export function AnswerRights({ message }: { message: Message }) {
  const isAdmin = useIsAdmin()
  const { data: rights } = useMessageRights(message, isAdmin)
  if (!rights) return null
  const closed = rights.folders.filter(({ can_read }) => !can_read)
  return (
    <section>
      <h3 className="mb-1 font-medium">Rights</h3>
      <p className="text-pretty wrap-anywhere">
        Answered with the rights of <Subject rights={rights} />.
      </p>
      {rights.folders.length > 0 && (
        <ul aria-label="Folders of the agent" className="mt-1 space-y-0.5">
          {rights.folders.map(({ id, path, can_read }) => (
            <li key={id} className="wrap-anywhere">
              <span className={can_read ? '' : 'text-muted line-through decoration-line-strong'}>
                {path.join(' / ')}
              </span>
              <span className="text-muted">{can_read ? ' · read' : ' · not read'}</span>
            </li>
          ))}
        </ul>
      )}
      {closed.length > 0 && (
        <p className="mt-1 text-muted">As the rights are now; they may have been others when this was answered.</p>
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
      a person
    </Link>
  )
  const key = api_key ? `the API key ${api_key.name}` : 'an API key'
  switch (rights_of) {
    case 'member':
      return member!.name
    case 'virtual_user':
      return <>{person}, by the folders that they were granted</>
    case 'visitor':
      return member ? `a visitor of a link, who reads what ${member.name} may read` : 'a visitor of a link'
    default:
      return person ? (
        <>
          {key}, on behalf of {person} without folders of their own
        </>
      ) : (
        key
      )
  }
}
