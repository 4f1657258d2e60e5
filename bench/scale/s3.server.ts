// An S3 server as a process of its own, so that its work is not counted as the bench's: tells its parent the settings
// under which others use it, as JSON, and ends with it.
import { startS3Server } from '../../server/tests/support/storage/s3-server.ts'

const s3 = await startS3Server()
const end = () => s3.close().then(() => process.exit())
process.on('disconnect', end)
process.on('SIGTERM', end)
process.send?.(JSON.stringify(s3.settings()))
