import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { paginateListObjectsV2 } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import pLimit from 'p-limit'
import { createS3Client } from './s3-client.ts'
import type { S3Settings } from './s3-settings.ts'

const AT_ONCE = 6

/**
 * Puts the files of a folder below a name in the bucket, but for those that are there in their size already.
 * @param isLast whether a file stands for others, which must be there before it
 * @returns how many files are there in the end, and their bytes
 */
export async function uploadFolder(
  settings: S3Settings,
  { folder, name, isLast }: { folder: string; name: string; isLast(path: string): boolean },
): Promise<{ files: number; bytes: number }> {
  const client = createS3Client(settings)
  const prefix = `${settings.prefix}${name}/`
  const { bucket: Bucket } = settings
  try {
    const present = new Map<string, number>()
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix }))
      for (const { Key = '', Size = 0 } of Contents) present.set(Key, Size)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
    const limit = pLimit(AT_ONCE)
    let bytes = 0
    const upload = async (path: string) => {
      const { size } = await stat(path)
      const Key = prefix + relative(folder, path).split(sep).join('/')
      if (present.get(Key) !== size)
        await new Upload({ client, params: { Bucket, Key, Body: createReadStream(path) } }).done()
      bytes += size
    }
    for (const group of [false, true])
      await Promise.all(paths.filter((path) => isLast(path) === group).map((path) => limit(() => upload(path))))
    return { files: paths.length, bytes }
  } finally {
    client.destroy()
  }
}
