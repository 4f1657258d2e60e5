import { z } from 'zod'

const count = (description: string) => z.number().int().meta({ description })

export const DiagnosisSchema = z
  .object({
    healthy: z.boolean().meta({ description: 'Whether all counts are 0' }),
    database_faults: count("Findings of the database's own full check; of the whole installation"),
    orphan_blobs: count('Stored files that nothing refers to; of the whole installation'),
    rows_without_blob: count('Files whose bytes are lost'),
    damaged_blobs: count('Files whose bytes are not those that were uploaded'),
    lost_parses: count('Files of which what was read is lost or damaged'),
    damaged_indexes: count('1 if the search index cannot be read, or is not as it was written'),
    orphan_documents: count('Files that are gone, and still in the search index'),
    files_not_in_index: count('Indexed files that the search index lacks'),
    stuck_messages: count('Messages in progress that nobody answers'),
    open_files: count('Files of the server that other users of its machine may use; of the whole installation'),
    failed_checks: count('Checks that could not be run'),
    advice: z.array(z.string()).meta({ description: 'Advice for each count that is not 0' }),
  })
  .meta({ id: 'Diagnosis', description: 'Damage, losses and leftovers' })
