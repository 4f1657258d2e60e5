/** Person who tries to read what others upload: with a visitor's token, or a key that is bound to the agent. */
export interface Attacker {
  /** Sends one request as the attacker. */
  send(method: string, path: string, body: unknown): Promise<{ status: number; body: any }>
  /** Id of the agent that they may ask. */
  agentId: string
}

export interface GuessingOptions {
  /** The victim uploads a file. @returns its id */
  uploadOfVictim(): Promise<string>
  /** Takes part in turn: a visitor has only this many queries a minute. */
  attackers: Attacker[]
  /** Ends when it says so, at the latest after this many guesses. */
  isOver?: () => boolean
  guesses: number
}

export interface Guessed {
  guesses: number
  /** Ids that the attackers saw beside them: of chats that they began just before and after. */
  samples: number
  /** Uploads of the victim. */
  uploads: number
  /** Files that were read. */
  read: number
  /** Other answers than "there is no such file", by status. */
  others: Record<string, number>
}

const GUESSES_PER_UPLOAD = 150

/**
 * Makes ids just before and just after a file is uploaded, and asks for what may lie between: by a counter or a time
 * that went on, with what the ids have in common. Then for the file by its very id, which must not help either.
 */
export async function guessUploads(options: GuessingOptions): Promise<Guessed> {
  const { uploadOfVictim, attackers, isOver = () => false, guesses } = options
  const found: Guessed = { guesses: 0, samples: 0, uploads: 0, read: 0, others: {} }
  const chats = await Promise.all(attackers.map(newChat))
  found.samples += chats.length
  let turn = 0

  async function newChat({ send, agentId }: Attacker): Promise<string> {
    const { status, body } = await send('POST', `/agents/${agentId}/chats`, {})
    if (status !== 200) throw new Error(`a chat cannot be begun: ${status} ${JSON.stringify(body)}`)
    return body.data.chat.id
  }

  /** An id that is made now: that of a message, which costs no chat. */
  async function sample(): Promise<string> {
    const { status, body } = await ask([])
    if (status !== 200) throw new Error(`a query without files is refused: ${status} ${JSON.stringify(body)}`)
    found.samples++
    return body.data.message_id
  }

  function ask(uploaded_files: string[]) {
    const at = turn++ % attackers.length
    const { send, agentId } = attackers[at]!
    return send('POST', `/agents/${agentId}/chats/${chats[at]}/query`, {
      query: 'What does the file say?',
      uploaded_files,
    })
  }

  async function guess(id: string): Promise<void> {
    found.guesses++
    const { status, body } = await ask([id])
    if (status === 200) found.read++
    else if (status !== 404 || body.error_code !== 'FILE_NOT_FOUND')
      found.others[status] = (found.others[status] ?? 0) + 1
  }

  while (found.guesses < guesses && !isOver()) {
    const before = await sample()
    const target = await uploadOfVictim()
    const after = await sample()
    found.uploads++
    const candidates = between(before, after)
    for (const id of [...candidates, target]) {
      if (found.guesses >= guesses || isOver()) break
      await guess(id)
    }
  }
  return found
}

/** Ids between two that were made before and after them, likelier ones first. */
function between(before: string, after: string): string[] {
  const [from, to] = [BigInt(`0x${before}`), BigInt(`0x${after}`)]
  const near = new Set<bigint>()
  const add = (id: bigint) => near.size < GUESSES_PER_UPLOAD && near.add(id)
  // The next ones of a counter of any length, in each instant between them, milliseconds after seconds or parts of one.
  for (const instants of [52n, 48n])
    for (let instant = to >> instants; instant >= from >> instants; instant--)
      for (let step = 1n; step <= 2n; step++) add((instant << instants) | ((from + step) & ((1n << instants) - 1n)))
  for (let i = 1n; near.size < GUESSES_PER_UPLOAD && i < 1_000n; i++) add(from + ((to - from) * i) / 1_000n)
  return [...near].map((id) => id.toString(16).padStart(24, '0').slice(-24))
}
