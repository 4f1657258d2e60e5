import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Lock } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'

/** Page that the key may not see. Its children say who may. */
export const NoAccess = ({ children }: { children: ReactNode }) => (
  <EmptyState icon={Lock} title={t`Not allowed with this key`}>
    {children}
  </EmptyState>
)
