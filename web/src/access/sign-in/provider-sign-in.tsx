import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { goToProvider } from './provider.ts'

/** Buttons of the providers by which people sign in. */
export function ProviderSignIn({ providers }: { providers: { id: string; name: string }[] }) {
  const going = useMutation({ mutationFn: (id: string) => goToProvider(id) })
  if (providers.length === 0) return null
  return (
    <div className="mt-8 space-y-3">
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          // The page is left as soon as the server has answered.
          isBusy={going.variables === id && (going.isPending || going.isSuccess)}
          onClick={() => going.mutate(id)}
          className="h-11 w-full"
        >
          <Trans>Sign in with {name}</Trans>
        </Button>
      ))}
      {going.error && <Notice>{explain(going.error)}</Notice>}
    </div>
  )
}
