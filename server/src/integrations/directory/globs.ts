/**
 * Whether a path matches one of the patterns: `*` and `?` stand for characters of one name, `**` for any number of
 * names. A pattern without `/` is compared with the last name, wherever it is; others with the whole path. Takes time
 * in proportion to pattern times path, whatever the pattern: it comes from a request.
 */
export function matchesAny(patterns: readonly string[], path: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const names = pattern.split('/').filter(Boolean)
    return pattern.includes('/') ? matchesPath(names, path) : matchesName(pattern, path.at(-1) ?? '')
  })
}

function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  // reachable[i]: the pattern up to here matches the first i names.
  let reachable = path.map(() => false)
  reachable.unshift(true)
  for (const part of pattern) {
    const next = reachable.map(() => false)
    for (let at = 0; at <= path.length; at++) {
      if (part === '**') next[at] = reachable[at]! || (next[at - 1] ?? false)
      else if (at > 0) next[at] = reachable[at - 1]! && matchesName(part, path[at - 1]!)
    }
    reachable = next
  }
  return reachable[path.length]!
}

function matchesName(pattern: string, name: string): boolean {
  let p = 0
  let n = 0
  let star = -1
  let starredTo = 0
  while (n < name.length) {
    if (p < pattern.length && pattern[p] === '*') {
      star = p++
      starredTo = n
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === name[n])) {
      p++
      n++
    } else if (star >= 0) {
      // Only the last star needs another try: what is before it has matched as early as it can.
      p = star + 1
      n = ++starredTo
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}
