import { test } from 'vitest'
import { target } from './target.ts'

/** Needs a second organization: `--other-key`. */
export const testOfTwo = test.skipIf(!target.otherKey)
/** Needs a model that follows the suite's scripts: `--agent` of one that has it. */
export const scripted = test.skipIf(!target.model)
/** Needs a receiver that the server can reach, and the scripted model: `--callback-host`. */
export const called = test.skipIf(!target.model || !target.callbackHost)
/** Needs a directory that the server reads from. */
export const linked = test.skipIf(!target.sourcesRoot)
/** Needs the settings of the server that the suite starts by itself. */
export const testOfOwn = test.skipIf(!target.isOwn)
