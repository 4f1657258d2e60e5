// Form in which a person decides, which is loaded with its texts when something waits.
export { ReviewForm } from './review-form.tsx'
