import type { AgentGrants } from '@docent/sdk'
import { describeUse } from './use-words.ts'

/** Line that says who may use an agent. */
export const UseLine = ({ rights }: { rights: AgentGrants }) => <p className="wrap-anywhere">{describeUse(rights)}</p>
