import type { PayloadOf, TaskKind } from '../catalog.ts'
import type { TaskContext } from '../worker.ts'

/** Reason that a task is not tried again: its attempts failed, or processes died while running it. */
export type GivenUpReason = 'failed' | 'crashed'

/** Notifies the feature that waits for a task of its end. It may run twice; after an error the queue calls it again. */
export type GivenUpHandler<K extends TaskKind> = (
  payload: PayloadOf<K>,
  context: TaskContext,
  reason: GivenUpReason,
) => Promise<void>

/** Every kind of task says what happens when one is given up. */
export type GivenUpHandlers = { [K in TaskKind]: GivenUpHandler<K> }

/** Leaves the task among the dead, which operators see; for kinds that nobody waits for. @param _why that is enough */
export const staysAmongTheDead =
  (_why: string): (() => Promise<void>) =>
  async () => {}
