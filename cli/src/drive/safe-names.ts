/** Names that every file system takes, and that lead nowhere else: no separators, no `..`. */
export const safeNames = (names: readonly string[]): string[] =>
  names.map((name) => {
    const safe = name.replace(/[<>:"/\\|?*\p{Cc}]/gu, '_').replace(/[. ]+$/, '')
    return safe === '' || isDevice(safe) ? `_${safe}` : safe
  })

/** Names that Windows keeps for itself. */
const isDevice = (name: string) => /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name)
