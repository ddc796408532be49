// The job threads: slow work that would hold up a shard or a front; job-pools.ts says which runs where. A job is a named function from input to output; a new one is a line in the table.

import { readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { workerData } from 'node:worker_threads'
import type { SignCertificateInput } from '../actors/charge-point/messages.js'
import type { PaymentRequest } from '../actors/guest-session/payment.js'
import type { SendMailRequest } from '../actors/mail/messages.js'
import {
  type CheckPasswordInput,
  checkPasswordJob,
  type HashPasswordInput,
  hashPasswordJob,
} from '../jobs/passwords/messages.js'
import type { Invoice } from '../records/invoice.js'
import type { Receipt } from '../records/receipt.js'
import type { Settings } from '../settings.js'
import type { Printed } from './log-unshown.js'
import type { JobThreadStart } from './threads.js'

const { niceness = 0 } = (workerData ?? {}) as Partial<JobThreadStart>
// Elsewhere than on Linux it would be the priority of the whole process.
if (process.platform === 'linux' && niceness > getPriority()) setPriority(niceness)

export interface JobTask {
  readonly job: string
  readonly input: unknown
  readonly settings: Settings
}

type Job = (input: never, settings: Settings) => unknown

// What a job needs is loaded by the first one that does: a thread that signs needs no typeface.
const jobs: Readonly<Record<string, Job>> = {
  'sign-certificate': async (
    input: SignCertificateInput,
    { client_ca_key_file: keyFile, tls_client_ca_file: authorityFile, cpo_name: cpoName }: Settings,
  ) => {
    if (keyFile === undefined || authorityFile === undefined) throw new Error('there is no authority to sign with')
    const authority = { keyPem: readFileSync(keyFile, 'utf8'), certificatePem: readFileSync(authorityFile, 'utf8') }
    const { signClientCertificate } = await import('../jobs/pki/sign-client-certificate.js')
    return signClientCertificate({ ...input, cpoName }, authority, new Date())
  },
  payment: async (input: PaymentRequest, settings: Settings) =>
    (await import('../jobs/payments/providers.js')).askProvider(input, settings),
  'send-mail': async (input: SendMailRequest, settings: Settings) =>
    (await import('../jobs/mail/send-mail.js')).sendMail(input, settings),
  [hashPasswordJob]: async (input: HashPasswordInput) =>
    (await import('../jobs/passwords/passwords.js')).hashPassword(input),
  [checkPasswordJob]: async (input: CheckPasswordInput) =>
    (await import('../jobs/passwords/passwords.js')).checkPassword(input),
  'receipt-pdf': async (receipt: Receipt, settings: Settings) => {
    const { receiptPdf } = await import('../jobs/documents/receipt-pdf.js')
    const { number, document } = receipt
    const printed = { document: 'receipt', number, id: document.session.session_id } as const
    return withUnshownLogged(printed, settings, (unshown) => receiptPdf(receipt, unshown))
  },
  'invoice-pdf': async (invoice: Invoice, settings: Settings) => {
    const { invoicePdf } = await import('../jobs/documents/invoice-pdf.js')
    const printed = { document: 'invoice', number: invoice.number, id: invoice.invoice_id } as const
    return withUnshownLogged(printed, settings, (unshown) => invoicePdf(invoice, unshown))
  },
}

async function withUnshownLogged(
  printed: Printed,
  settings: Settings,
  print: (unshown: Set<string>) => Promise<Buffer>,
): Promise<Buffer> {
  const unshown = new Set<string>()
  const pdf = await print(unshown)
  if (unshown.size > 0) (await import('./log-unshown.js')).logUnshown(printed, unshown, settings)
  return pdf
}

/** As job-threads.ts asks where many jobs share the thread. */
export function answers(): void {}

export function runJob({ job, input, settings }: JobTask): unknown {
  const found = jobs[job]
  if (found === undefined) throw new Error(`there is no job ${job}`)
  return found(input as never, settings)
}
