// Upload of one file for a question, loaded with the first.
export { sendFile } from './uploads/send-file.ts'
