/** Text of a part of a URL, without its percent encoding; one whose encoding is malformed stays as it is. */
export function percentDecoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
