import type { Citation } from '@docent/sdk'
import { createContext } from 'react'

export interface Citations {
  /** Citations of the answer; empty while it is streaming. */
  all: Citation[]
  /** Whether more may come. */
  isPending: boolean
  open: (index: number) => void
}

/** Passages that the text cites. */
export const CitationsContext = createContext<Citations>({ all: [], isPending: false, open: () => {} })
