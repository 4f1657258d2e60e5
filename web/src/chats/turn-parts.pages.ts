// Parts of a turn that few answers show, which are loaded with their texts when one does.
export { AnswerComment } from './turns/answer-comment.tsx'
export { AnswerDetails } from './turns/answer-details.tsx'
export { EditQuery } from './turns/edit-query.tsx'
export { MadeFiles } from './turns/made-files.tsx'
export { TurnReview } from './turns/turn-review.tsx'
export { Versions } from './turns/versions.tsx'
