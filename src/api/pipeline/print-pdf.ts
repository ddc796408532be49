// Documents as answers: printed as PDFs by the job pool.

import type { PrintInput, PrintJob } from '../../records/print-jobs.js'
import { overloaded } from '../../runtime/errors.js'
import type { Answer } from './route.js'
import type { Services } from './services.js'

/** How long an organization whose documents take their time to print should wait before it asks for more. */
const printRetryAfterSeconds = 5

/** `name`: of the file, without its ending. Throws `overloaded` when too many of its organization, or of all, wait to be printed. */
export async function printPdf(
  job: PrintJob,
  document: PrintInput,
  name: string,
  services: Pick<Services, 'runJob' | 'log'>,
): Promise<Answer> {
  const outcome = await services.runJob(job, document)
  if (outcome.ok)
    return {
      status: 200,
      body: outcome.value as Uint8Array,
      contentType: 'application/pdf',
      headers: { 'Content-Disposition': `inline; filename="${name}.pdf"` },
    }
  if (outcome.isRefused === true)
    throw overloaded('too many documents are waiting to be printed, or one has taken too long; try again later', {
      retryAfterSeconds: printRetryAfterSeconds,
    })
  services.log.error({ job, reason: outcome.message }, 'a document could not be printed')
  throw overloaded('the document could not be printed; try again')
}
