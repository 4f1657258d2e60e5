/** For `.catch` on what reads a file or folder that may be gone. @throws any other error */
export function undefinedIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
