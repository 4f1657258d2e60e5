import { explain } from '../platform/errors.ts'
import { toast } from './overlays/toasts.tsx'

/** Lets a promise run on its own, and shows its failure as a toast. */
export function unawaited(work: Promise<unknown>): void {
  work.catch((error) => toast(explain(error), { isError: true }))
}
