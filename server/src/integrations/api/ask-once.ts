/**
 * Asks for each thing once: anyone who asks again gets the first answer, or its failure. For the length of a sync.
 *
 * @returns what `ask` gave the first time that something was asked for under this key
 */
export function createAskOnce<T>(): (key: string, ask: () => Promise<T>) => Promise<T> {
  const known = new Map<string, Promise<T>>()
  return (key, ask) => {
    const asked = known.get(key) ?? ask()
    known.set(key, asked)
    return asked
  }
}
