// Front of the reviews: everything that other folders may import.
export { ReviewForm } from './review-form.tsx'
export { useWaitingReviews } from './reviews.queries.ts'
