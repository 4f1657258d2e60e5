import type { Citation } from '@docent/sdk'
import { createContext } from 'react'

export interface Citations {
  /** Those of the answer; empty while it is still coming. */
  all: Citation[]
  /** Whether more may come. */
  isPending: boolean
  open: (index: number) => void
}

/** The passages that the text around refers to. */
export const CitationsContext = createContext<Citations>({ all: [], isPending: false, open: () => {} })
