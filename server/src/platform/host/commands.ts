/** Whether the server was installed as a package, rather than started in a checkout. */
const isPackage = /[\\/]docent-server(\.mjs)?$/.test(process.argv[1] ?? '')

/** An operator's command in the words in which it is started here. */
export const adminCommand = (command: string): string =>
  `${isPackage ? 'npx docent-server admin' : 'npm run admin --'} ${command}`

/** The start of the server in the words in which it is started here. */
export const startCommand = (options = ''): string =>
  isPackage ? `npx docent-server ${options}`.trim() : `npm start${options && ` -- ${options}`}`
