/** Turns the error for a missing file or folder into undefined, for `.catch`. @throws any other error */
export function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
