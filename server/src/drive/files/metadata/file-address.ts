/** Address in the web at which a file can be read, as its metadata name it under `url`; undefined if they name none. */
export function fileAddressOf(metadata: string): string | undefined {
  const { url } = JSON.parse(metadata) as { url?: unknown }
  return typeof url === 'string' && /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined
}
