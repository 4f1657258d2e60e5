import type { ReactNode } from 'react'
import { Lock } from '../ui/icons.ts'
import { EmptyState } from '../ui/notices/empty-state.tsx'

/** A page that the key may not see, and who may. */
export const NotForYou = ({ children }: { children: ReactNode }) => (
  <EmptyState icon={Lock} title="Not with this key">
    {children}
  </EmptyState>
)
