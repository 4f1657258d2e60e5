import type { Chat } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useMe } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button, Spinner } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { CheckField } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { shareChat, stopSharing, useShare } from './shared-chats.queries.ts'

/** Shares a chat with the workspace, shows its link, and stops that. */
export function ShareDialog({ chat, onClose }: { chat: Chat; onClose: () => void }) {
  const path = { agentId: chat.agent_id, chatId: chat.id }
  const { data: share, error: readError } = useShare(path)
  const isKey = useMe().data?.member === null
  /** Box as the person set it, until the server has it, too. */
  const [wished, setWished] = useState<boolean | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  async function act(change: () => Promise<void>) {
    setBusy(true)
    setProblem(null)
    try {
      await change()
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
      setWished(null)
    }
  }
  const error = problem ?? readError
  return (
    <Dialog title={t`Share the chat`} onClose={onClose}>
      <div className="space-y-4">
        <p>
          <Trans>
            Members of your workspace who have the link can read the questions and answers, and change nothing. They see
            only sources that they may open themselves.
          </Trans>
        </p>
        {error !== null && <Notice>{explain(error)}</Notice>}
        {share === undefined && !error && <Spinner label={t`Reading the chat`} />}
        {share === null && isKey && (
          <p className="text-muted">
            <Trans>Only people share chats: you are signed in with a key. Sign in with your account to do so.</Trans>
          </p>
        )}
        {share === null && !isKey && (
          <Button variant="primary" isBusy={isBusy} onClick={() => act(() => shareChat(path, false))}>
            <Trans>Make a link</Trans>
          </Button>
        )}
        {share && (
          <>
            <p className="rounded-control border border-line bg-canvas px-3.5 py-2 font-mono text-sm wrap-anywhere">
              {share.url}
            </p>
            <CheckField
              label={t`Keep it up to date`}
              hint={t`Readers also see what you ask from now on.`}
              checked={wished ?? share.follows}
              disabled={isBusy}
              onChange={({ target }) => {
                setWished(target.checked)
                unawaited(act(() => shareChat(path, target.checked)))
              }}
            />
            {!share.follows && (
              <p className="text-sm text-muted">
                <Trans>
                  Shows the chat as it was <Time iso={share.updated_at} />.
                </Trans>
              </p>
            )}
            <div className="flex flex-wrap gap-2">
              <CopyButton text={share.url} label={t`Copy the link`} />
              {!share.follows && (
                <Button isBusy={isBusy} onClick={() => act(() => shareChat(path, false))}>
                  <Trans>Show the chat as it is now</Trans>
                </Button>
              )}
              <Button variant="danger" isBusy={isBusy} onClick={() => act(() => stopSharing(share.id))}>
                <Trans>Stop sharing</Trans>
              </Button>
            </div>
          </>
        )}
      </div>
    </Dialog>
  )
}
