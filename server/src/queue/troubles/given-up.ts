import type { PayloadOf, TaskKind } from '../catalog.ts'
import type { TaskContext } from '../worker.ts'

/** Why a task is not tried again: its attempts failed, or processes died while it was at work. */
export type GivenUpReason = 'failed' | 'crashed'

/** Tells whoever waits for a task that it is given up. It may run twice, and an error makes the queue call it again. */
export type GivenUpHandler<K extends TaskKind> = (
  payload: PayloadOf<K>,
  context: TaskContext,
  reason: GivenUpReason,
) => Promise<void>

/** Every kind of task says what happens when one is given up. */
export type GivenUpHandlers = { [K in TaskKind]: GivenUpHandler<K> }

/**
 * For kinds whose tasks nobody waits for: it stays among the dead, of which operators are told.
 * @param _why that is enough
 */
export const staysAmongTheDead =
  (_why: string): (() => Promise<void>) =>
  async () => {}
