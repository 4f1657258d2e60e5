import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMe } from './access/access.ts'
import { withMessages } from './platform/language.ts'

const SecondFactorNeeded = lazy(async () => ({
  default: (await withMessages('account', () => import('./settings/account.pages.ts'))).SecondFactorNeeded,
}))

/** Shows the set-up of a second factor in place of all pages while the workspace demands one that is missing. */
export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { data: me } = useMe()
  // The recovery codes are shown after the server is satisfied.
  const [isUnderWay, setUnderWay] = useState(false)
  if (!me?.needs_second_factor && !isUnderWay) return children
  return (
    <Suspense>
      <SecondFactorNeeded onBegin={() => setUnderWay(true)} onDone={() => setUnderWay(false)} />
    </Suspense>
  )
}
