import type { Account } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { PersonFace } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { removePicture, setPicture } from './account.queries.ts'

/** Picture of the person, with the ways to change it. */
export function PictureField({ account }: { account: Account }) {
  const input = useRef<HTMLInputElement>(null)
  const onError = (error: unknown) => toast(explain(error), { isError: true })
  const setting = useMutation({ mutationFn: setPicture, onError })
  const removing = useMutation({ mutationFn: removePicture, onError })
  const isBusy = setting.isPending || removing.isPending
  const own = account.memberships.find(({ is_current }) => is_current)
  return (
    <div className="flex flex-wrap items-center gap-3">
      <PersonFace
        name={account.name}
        id={own?.member_id}
        pictureUrl={account.picture_url}
        className="size-14 text-xl"
      />
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        aria-label={t`Choose a picture`}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) setting.mutate(file)
          // Lets the same file be chosen again.
          target.value = ''
        }}
      />
      <Button disabled={isBusy} onClick={() => input.current?.click()}>
        {account.picture_url ? t`Change the picture` : t`Add a picture`}
      </Button>
      {account.picture_url && (
        <Button disabled={isBusy} onClick={() => removing.mutate()}>
          <Trans>Remove</Trans>
        </Button>
      )}
      <span className="text-sm text-muted">
        <Trans>Those of your workspaces see it.</Trans>
      </span>
    </div>
  )
}
