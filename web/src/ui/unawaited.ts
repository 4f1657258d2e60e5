import { explain } from '../platform/errors.ts'
import { toast } from './overlays/toasts.tsx'

/** Lets work go on by itself. What it fails with, and does not tell in a better place, is told to the person. */
export function unawaited(work: Promise<unknown>): void {
  work.catch((error) => toast(explain(error), { isError: true }))
}
