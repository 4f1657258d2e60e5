const MOST_CHARACTERS = 80

/** Title of a chat that begins with this question: its first words, on one line. */
export const titleOf = (query: string): string =>
  query
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS)
    .toWellFormed() || 'New Chat'
