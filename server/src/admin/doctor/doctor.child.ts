import { setPriority } from 'node:os'
import { type AdminConfig, withAdmin } from '../context.ts'
import { type Diagnosis, examine } from './doctor.ts'

export interface DoctorRequest {
  config: AdminConfig
  organizationId: string
}

export type DoctorReply = { found: Diagnosis } | { failed: string }

/** Lower priority than that of a server that has people waiting. */
const PRIORITY = 10

process.once('disconnect', () => process.exit())
process.once('message', (request: DoctorRequest) => {
  answer(request).catch((error) => {
    console.error(error)
    process.exit(1)
  })
})

async function answer({ config, organizationId }: DoctorRequest): Promise<void> {
  setPriority(PRIORITY)
  let reply: DoctorReply
  try {
    reply = { found: await withAdmin(config, (context) => examine(context, { organizationId })) }
  } catch (error) {
    reply = { failed: error instanceof Error ? error.message : String(error) }
  }
  process.send!(reply, () => process.exit())
}
