import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { failures } from '../../platform/http/failures.ts'
import { DiagnosisSchema } from './doctor.schemas.ts'
import type { DoctorService } from './doctor.service.ts'

export const doctorRoutes =
  ({ doctor }: { doctor: DoctorService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/doctor',
      {
        config: { access: { who: 'owner' } },
        schema: {
          operationId: 'doctor.examine',
          tags: ['Doctor'],
          summary: 'Look for damage in the database, the stored files and the search index',
          description:
            'Reads everything that is stored, in a process of its own: seconds to minutes. It changes nothing; `npm run admin -- doctor --fix` mends what can be mended.',
          response: { 200: z.object({ data: DiagnosisSchema }), ...failures(401, 403, 503) },
        },
      },
      // The details of a finding name things of other organizations.
      async ({ caller }) => {
        const { problems: _, fixed: __, ...found } = await doctor.examine(caller.organizationId)
        return { data: found }
      },
    )
  }
