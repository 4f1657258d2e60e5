import type { ReactNode } from 'react'
import { EmptyState } from '../ui/empty-state.tsx'
import { Lock } from '../ui/icons.ts'

/** A page that the key may not see, and who may. */
export const NotForYou = ({ children }: { children: ReactNode }) => (
  <EmptyState icon={Lock} title="Not with this key">
    {children}
  </EmptyState>
)
