// Parts of a chat that are rarely shown, which are loaded with their texts when one is.
export { ShortcutDialog } from './composer/shortcut-dialog.tsx'
export { CitedSource } from './sources/cited-source.tsx'
export { AnswerComment } from './turns/answer-comment.tsx'
export { AnswerDetails } from './turns/answer-details.tsx'
export { EditQuery } from './turns/edit-query.tsx'
export { MadeFiles } from './turns/made-files.tsx'
export { TurnReview } from './turns/turn-review.tsx'
export { Versions } from './turns/versions.tsx'
