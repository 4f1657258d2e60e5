/**
 * Path of a member's picture, with a part of its SHA-256, so that another picture has another path.
 * @returns null for somebody without one
 */
export const pictureUrlOf = (memberId: string, sha256: string | null | undefined): string | null =>
  sha256 ? `/v1/members/${memberId}/picture?v=${sha256.slice(0, 16)}` : null
