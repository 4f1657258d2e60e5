// Passkeys of the browser, which are loaded with their texts when somebody first uses one.
export { askPasskey, makePasskey } from './passkeys.ts'
