import type { KernelParts } from '../../kernel-parts.ts'
import type { Membership } from '../../platform/cluster/membership/membership.ts'
import type { UsageService } from '../../usage/usage.ts'
import type { WebhookService } from '../../webhooks/webhooks.ts'
import { AloneDirectory } from './directory/alone.ts'
import { createFollower } from './directory/followed-events.ts'
import { RemoteRuns } from './directory/remote-runs.ts'
import type { RunDirectoryOptions } from './directory/run-directory.ts'
import { RunRelay } from './directory/run-relay.ts'
import { SharedDirectory } from './directory/shared.ts'
import { RunRegistry } from './run-registry.ts'
import { Runs } from './runs.ts'
import { endInterrupted } from './stored/end-interrupted.ts'
import { createEndUnattended } from './stored/interruptions.ts'

export interface OpenRunsOptions extends Pick<KernelParts, 'clock' | 'db' | 'logger' | 'newId' | 'pubsub' | 'writes'> {
  usage: UsageService
  webhooks: WebhookService
  membership: Membership
  /** Whether other processes may work on the same database. */
  isShared: boolean
}

/** The runs of this process, and its way to those of others. */
export function openRuns({ newId, pubsub, isShared, ...options }: OpenRunsOptions) {
  const { db, membership, logger } = options
  const endUnattended = createEndUnattended(options)
  const registry = new RunRegistry()
  const here = { ...options, registry, endUnattended }
  const { directory, close } = isShared ? openShared(here, { pubsub, newId }) : openAlone(here)
  let stopListening = () => {}

  async function endLeftBehind(): Promise<void> {
    const messages = await endInterrupted({ db, membership, endUnattended })
    if (messages > 0) logger.warn({ messages }, 'runs of a process that ended were interrupted')
  }

  return {
    runs: new Runs({ registry, directory, logger }),
    registry,
    directory,
    follower: createFollower({ db, registry, directory }),

    /** Ends runs of dead processes, now and at each later death. */
    async start(): Promise<void> {
      await endLeftBehind()
      await directory.start()
      stopListening = membership.onDeath(endLeftBehind)
    },

    close(): void {
      stopListening()
      close()
    },
  }
}

const openAlone = (options: RunDirectoryOptions) => ({ directory: new AloneDirectory(options), close() {} })

/** Directory for several processes, with both ends of the talk between them. */
function openShared(options: RunDirectoryOptions, { pubsub, newId }: Pick<OpenRunsOptions, 'pubsub' | 'newId'>) {
  const { membership, registry } = options
  const remoteRuns = new RemoteRuns({ pubsub, newId, membership })
  const relay = new RunRelay({ registry, pubsub, membership })
  return {
    directory: new SharedDirectory({ ...options, remoteRuns }),
    close() {
      relay.close()
      remoteRuns.close()
    },
  }
}
