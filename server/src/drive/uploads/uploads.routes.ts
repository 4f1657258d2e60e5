import multipart from '@fastify/multipart'
import type { FastifyError } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { answerAgain } from '../../access/access.ts'
import { sendError } from '../../platform/http/errors.ts'
import { failures } from '../../platform/http/failures.ts'
import { ObjectId } from '../../platform/http/validation/schemas.ts'
import { notMultipart } from './upload-body.ts'
import type { UploadService } from './uploads.service.ts'

const UploadForm = z.object({
  file: z.file(),
  virtual_user_email: z.string().optional().meta({ description: 'Person on whose behalf the file is uploaded' }),
})
const UploadReply = z.object({ data: ObjectId }).meta({ description: 'The id of the uploaded file' })

export const uploadRoutes =
  ({ uploads }: { uploads: UploadService }): FastifyPluginAsyncZod =>
  async (app) => {
    // The handler says what is wrong with a body of any type; nothing of it is read before.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, _body, done) => done(null))
    // A header that is no media type fails before that.
    app.setErrorHandler((error: FastifyError, request, reply) =>
      sendError(error.code?.startsWith('FST_ERR_CTP') ? notMultipart() : error, request, reply),
    )
    await app.register(multipart, { throwFileSizeLimit: false })

    app.post(
      '/uploaded-files',
      {
        config: {
          access: { who: 'caller', visitors: true, virtualUsers: true, bound: 'filtered' },
          documentedBody: { mediaType: 'multipart/form-data', schema: UploadForm },
        },
        schema: {
          operationId: 'uploadedFiles.create',
          summary: 'Upload a file; its id can be added to a folder or sent with a query',
          description:
            'Other keys of the workspace may use it, too; of what a key that is bound to agents or folders sends, they and that key. A visitor of a link uses their own. For everybody else it does not exist.',
          response: { 200: UploadReply, ...failures(400, 401, 403, 409, 429) },
        },
      },
      async (request, reply) => {
        const { answer, isRepeated } = await uploads.receive(request)
        if (isRepeated) return answerAgain(reply, answer) as never
        return JSON.parse(answer.body)
      },
    )
  }
