// Front of the reviews: everything that other folders may import.
import { withMessages } from '../platform/language.ts'
import { later } from '../ui/later.tsx'

export { useWaitingReviews } from './reviews.queries.ts'

export const ReviewForm = later(
  async () => (await withMessages('review-form', () => import('./review-form.pages.ts'))).ReviewForm,
)
