/** Origin of a URL; anything else as it is. */
export const toOrigin = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)
